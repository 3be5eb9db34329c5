from collections.abc import Mapping

from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

def sign(claims: Mapping[str, str | int], key: EllipticCurvePrivateKey) -> str: ...
