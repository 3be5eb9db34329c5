"""Web push as the standards have it: words sealed for one browser, and the proof that we send them.

Written here on ``cryptography`` because the library for it brings a second HTTP client and sends by
itself, where we must see to it that nothing but public addresses is called.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from dataclasses import dataclass
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
RECORD = 4096
"""The size of the one record that a message is (RFC 8291, 4)."""

LONGEST = RECORD - 16 - 1 - 86
"""The most bytes that fit into it beside tag, delimiter and head."""


@dataclass(frozen=True)
class Subscription:
    """Where the browser of one device hears from us, and the keys to speak to it alone."""

    endpoint: str
    p256dh: str
    auth: str


def shown(data: bytes) -> str:
    """*data* in base64 as the web writes it, without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def taken(text: str) -> bytes:
    """The bytes that *text* shows; raises ``ValueError``."""
    try:
        return urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except NotBase64 as wrong:
        raise ValueError(str(wrong)) from None


def new_key() -> str:
    """A new private key, by which browsers know us again."""
    number = ec.generate_private_key(CURVE).private_numbers().private_value
    return shown(number.to_bytes(32))


def private(key: str) -> ec.EllipticCurvePrivateKey:
    """The private key that is kept as *key*."""
    return ec.derive_private_key(int.from_bytes(taken(key)), CURVE)


def public(key: ec.EllipticCurvePrivateKey) -> bytes:
    """The point that belongs to *key*, uncompressed."""
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def sealed(data: bytes, to: Subscription, key: ec.EllipticCurvePrivateKey, salt: bytes) -> bytes:
    """*data* as nobody but the browser of *to* reads it (RFC 8291, aes128gcm of RFC 8188).

    *key* and *salt* (16 bytes) are for this message alone. Raises ``ValueError`` where the keys of
    *to* are none.
    """
    theirs, mine = taken(to.p256dh), public(key)
    other = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, theirs)
    shared = key.exchange(ec.ECDH(), other)
    secret = _derived(taken(to.auth), b"WebPush: info\0" + theirs + mine, 32, shared)
    content = _derived(salt, b"Content-Encoding: aes128gcm\0", 16, secret)
    nonce = _derived(salt, b"Content-Encoding: nonce\0", 12, secret)
    head = salt + RECORD.to_bytes(4) + len(mine).to_bytes(1) + mine
    return head + AESGCM(content).encrypt(nonce, data + b"\2", None)


def _derived(salt: bytes, info: bytes, length: int, secret: bytes) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)


def proof(endpoint: str, ours: str, until: int, key: ec.EllipticCurvePrivateKey) -> str:
    """The Authorization by which *endpoint* knows that *ours* is who sends (RFC 8292).

    *ours* is an address of whoever is responsible, *until* seconds since 1970, a day at most.
    """
    parts = urlsplit(endpoint)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": until, "sub": ours}
    told = ".".join(
        shown(json.dumps(one, separators=(",", ":")).encode())
        for one in ({"typ": "JWT", "alg": "ES256"}, claims)
    )
    r, s = decode_dss_signature(key.sign(told.encode(), ec.ECDSA(SHA256())))
    signature = shown(r.to_bytes(32) + s.to_bytes(32))
    return f"vapid t={told}.{signature}, k={shown(public(key))}"
