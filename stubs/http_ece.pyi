from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

def encrypt(
    content: bytes,
    salt: bytes | None = None,
    *,
    private_key: EllipticCurvePrivateKey,
    dh: bytes,
    auth_secret: bytes,
) -> bytes: ...
