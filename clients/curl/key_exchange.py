"""What libcurl offers keys for, which by itself is X25519 alone."""

from curl_cffi import CurlOpt

GROUPS = {"x25519mlkem768": "X25519MLKEM768:X25519"}


def set_key_exchange(handle, asked):
    """Has a handle offer what a connection or a transfer was asked to."""
    groups = GROUPS.get(asked.get("keyExchange"))
    if groups:
        handle.setopt(CurlOpt.SSL_EC_CURVES, groups)
