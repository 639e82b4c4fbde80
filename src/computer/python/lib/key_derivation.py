"""`hashlib.pbkdf2_hmac` and `hashlib.scrypt`, which CPython takes from OpenSSL."""

import hashlib

from _sandglass.kernel import calls

LARGEST = 2**31 - 1
# OpenSSL's limit, if none is given.
MEMORY = 32 * 1024 * 1024


def buffer(data):
    from pyodide.ffi import to_js

    try:
        with memoryview(data) as view:
            return to_js(bytes(view))
    except TypeError as error:
        raise TypeError(str(error).removeprefix("memoryview: ")) from None


def digest_named(name):
    """Name of a digest as in this module, of OpenSSL's names for it: `SHA-512`, `sha512-256`."""
    name = name.lower()
    return (f"sha{name[4:]}" if name.startswith("sha-") else name).replace("-", "_")


def pbkdf2_hmac(hash_name, password, salt, iterations, dklen=None):
    """Password based key derivation function 2 (PKCS #5 v2.0) with HMAC as pseudorandom function."""
    if not isinstance(hash_name, str):
        raise TypeError(f"pbkdf2_hmac() argument 'hash_name' must be str, not {type(hash_name).__name__}")
    password, salt = buffer(password), buffer(salt)
    if iterations < 1:
        raise ValueError("iteration value must be greater than 0.")
    if max(iterations, dklen or 0) > LARGEST:
        raise OverflowError("iteration value is too great." if iterations > LARGEST else "key length is too great.")
    if dklen is not None and dklen < 1:
        raise ValueError("key length must be greater than 0.")
    found = calls.pbkdf2(digest_named(hash_name), password, salt, iterations, dklen or 0)
    if found is None:
        raise ValueError(f"unsupported hash type {hash_name}")
    return found.to_bytes()


def scrypt(password, *, salt, n, r, p, maxmem=0, dklen=64):
    """scrypt password-based key derivation function."""
    password, salt = buffer(password), buffer(salt)
    if n < 2 or n & (n - 1):
        raise ValueError("n must be a power of 2.")
    if not 0 <= maxmem <= LARGEST:
        raise ValueError(f"maxmem must be positive and smaller than {LARGEST}")
    if not 1 <= dklen <= LARGEST:
        raise ValueError(f"dklen must be greater than 0 and smaller than {LARGEST}")
    if r < 1 or p < 1 or r * p >= 2**30:
        raise ValueError("Invalid parameter combination for n, r, p, maxmem.")
    if 128 * r * (n + p + 2) > (maxmem or MEMORY):
        raise ValueError("[digital envelope routines] memory limit exceeded")
    return calls.scrypt(password, salt, n, r, p, dklen).to_bytes()


def install():
    hashlib.pbkdf2_hmac, hashlib.scrypt = pbkdf2_hmac, scrypt
    for function in (pbkdf2_hmac, scrypt):
        function.__module__ = "hashlib"
