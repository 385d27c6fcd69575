"""Maps libcurl's errors to the reasons of ground/records/connection-attempt.ts."""

import re

from contract import Failure
from wire_names import ALERTS, alert_name, certificate_code

# BoringSSL adds the number of a received alert to this (SSL_AD_REASON_OFFSET).
_ALERT_OFFSET = 1000
_REASON_BITS = 0xFFF

_SYSTEM = (
    (r"refused", "ECONNREFUSED"),
    (r"connection reset", "ECONNRESET"),
    (r"network (is )?unreachable", "ENETUNREACH"),
    (r"no route to host", "EHOSTUNREACH"),
)
_CLOSED = "The server ended the connection before {}; libcurl does not report why."


def failure_of(name, message, transport, reached, timeout_ms):
    """
    The failure for one of libcurl's errors.

    name: CURLE_* without the prefix; message: libcurl's text and, for TCP, the trace's;
    reached: the last layer that the connection reached.
    """
    layer = "udp" if transport == "quic" else "tcp"
    if name == "OPERATION_TIMEDOUT":
        return Failure(reached, "timeout", f"No {'answer' if reached == 'http' else 'connection'} within {timeout_ms / 1000:g} s.")
    if name == "COULDNT_RESOLVE_HOST":
        return Failure("dns", "ENOTFOUND", message)
    if name == "PEER_FAILED_VERIFICATION":
        return Failure("tls", certificate_code(message), message)
    if name == "SSL_CACERT_BADFILE":
        return Failure("client", "no-authorities", message)
    if name == "INTERFACE_FAILED":
        return Failure("client", "EADDRINUSE" if "in use" in message else "EADDRNOTAVAIL", message)
    if code := next((code for pattern, code in _SYSTEM if re.search(pattern, message, re.I)), None):
        return Failure(layer, code, message)
    if transport == "quic" and name == "COULDNT_CONNECT":
        return Failure("quic", "closed", _CLOSED.format("the handshake was done"))
    if transport == "quic" and name in ("SEND_ERROR", "RECV_ERROR"):
        return Failure("quic", "closed", _CLOSED.format("it had answered"))
    if name == "COULDNT_CONNECT":
        return Failure(layer, name, message)
    if reached == "http":
        return Failure("http", name, message)
    if name == "SSL_CONNECT_ERROR":
        return Failure("tls", _tls_code(message), message)
    return Failure(reached, name, message)


def refused_request():
    """The failure for a refused request: libcurl always retries it, so its times span several connections."""
    return Failure("http", "REQUEST_REFUSED", "The server refused the request, and libcurl retried it over another connection.")


def _tls_code(message):
    """The server's alert by its number in BoringSSL's error; otherwise BoringSSL's own reason code."""
    found = re.search(r"error:([0-9a-f]{8}):.*?:([A-Z][A-Z0-9_]+)$", message, re.I)
    if not found:
        return "failed"
    number = (int(found[1], 16) & _REASON_BITS) - _ALERT_OFFSET
    return alert_name(number) if number in ALERTS else found[2].lower()
