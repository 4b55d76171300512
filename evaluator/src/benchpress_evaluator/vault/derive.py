"""Keys for one purpose each."""


def hkdf(key: bytes, salt: bytes, purpose: bytes) -> bytes:
    """32 bytes for one purpose from `key` (HKDF of RFC 5869 with SHA-256)."""
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(algorithm=SHA256(), length=32, salt=salt, info=purpose).derive(key)
