"""Key exchange groups that libcurl offers; its default here is X25519 only."""

from curl_cffi import CurlOpt

GROUPS = {"x25519mlkem768": "X25519MLKEM768:X25519"}


def set_key_exchange(handle, request):
    """Selects the groups for a request's keyExchange."""
    groups = GROUPS.get(request.get("keyExchange"))
    if groups:
        handle.setopt(CurlOpt.SSL_EC_CURVES, groups)
