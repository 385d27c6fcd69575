"""Why libcurl made no connection, in the words of ground/records/connection-attempt.ts."""

import re

from contract import Failure
from wire_names import ALERTS, alert_name, certificate_code

# BoringSSL adds the number of an alert that came to this (SSL_AD_REASON_OFFSET).
_ALERT_OFFSET = 1000
_REASON_BITS = 0xFFF

_SYSTEM = (
    (r"refused", "ECONNREFUSED"),
    (r"connection reset", "ECONNRESET"),
    (r"network (is )?unreachable", "ENETUNREACH"),
    (r"no route to host", "EHOSTUNREACH"),
)
_CLOSED = "The server ended the connection before {}; libcurl does not tell why."


def failure_of(name, message, via, reached, timeout_ms):
    """
    The reason for one of libcurl's errors.

    name: that of the error, CURLE_* without the prefix; message: what libcurl says of it, with what the trace has of the connection;
    reached: the layer that the connection was in.
    """
    transport = "udp" if via == "quic" else "tcp"
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
        return Failure(transport, code, message)
    if via == "quic" and name == "COULDNT_CONNECT":
        return Failure("quic", "closed", _CLOSED.format("the handshake was done"))
    if via == "quic" and name in ("SEND_ERROR", "RECV_ERROR"):
        return Failure("quic", "closed", _CLOSED.format("it had answered"))
    if name == "COULDNT_CONNECT":
        return Failure(transport, name, message)
    if reached == "http":
        return Failure("http", name, message)
    if name == "SSL_CONNECT_ERROR":
        return Failure("tls", _tls_code(message), message)
    return Failure(reached, name, message)


def refused_request():
    """libcurl cannot be kept from asking again, so that its times are those of several connections."""
    return Failure("http", "REQUEST_REFUSED", "The server refused the request, and libcurl asked again over another connection.")


def _tls_code(message):
    """The alert that the server sent, by its number in BoringSSL's error; else BoringSSL's word for what it did not like."""
    found = re.search(r"error:([0-9a-f]{8}):.*?:([A-Z][A-Z0-9_]+)$", message, re.I)
    if not found:
        return "failed"
    number = (int(found[1], 16) & _REASON_BITS) - _ALERT_OFFSET
    return alert_name(number) if number in ALERTS else found[2].lower()
