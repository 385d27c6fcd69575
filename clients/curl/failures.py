"""Why libcurl made no connection, in the words of records/connection-attempt.ts."""

import re

from contract import Failure
from tls_names import ALERTS, alert_name, certificate_code

# https://curl.se/libcurl/c/libcurl-errors.html
RESOLVE, CONNECT, TIMED_OUT, TLS, INTERFACE, VERIFY, SEND, RECEIVE = 6, 7, 28, 35, 45, 60, 55, 56
QUIC_CONNECT = 96
HTTP = {1: "UNSUPPORTED_PROTOCOL", 16: "HTTP2", 18: "PARTIAL_FILE", 52: "GOT_NOTHING", 92: "HTTP2_STREAM", 95: "HTTP3"}

# BoringSSL adds the number of an alert that came to this (SSL_AD_REASON_OFFSET).
_ALERT_OFFSET = 1000
_REASON_BITS = 0xFFF


def failure_of(code, text, via, reached, timeout_ms):
    """
    The reason for one of libcurl's codes.

    text: what it says of it; reached: the layer that the connection was in.
    """
    said = re.sub(r"^Failed to perform, curl: \(\d+\) |\. See https://curl\.se/\S+ first for more details\.$", "", text)
    if code == TIMED_OUT:
        what = "answer" if reached == "http" else "connection"
        return Failure(reached, "timeout", f"No {what} within {timeout_ms / 1000:g} s.")
    if code == RESOLVE:
        return Failure("dns", "ENOTFOUND", said)
    if code == VERIFY:
        return Failure("tls", certificate_code(said), said)
    if system := _system_code(said):
        return Failure("udp" if via == "quic" else "tcp", system, said)
    if code == CONNECT:
        return Failure("udp" if via == "quic" else "tcp", "ECONNREFUSED", said)
    if code == INTERFACE:
        return Failure("udp" if via == "quic" else "tcp", "EADDRINUSE", said)
    if alert := _alert(said):
        return Failure("tls", alert, said)
    if code in HTTP or reached == "http":
        return Failure("http", HTTP.get(code, f"curl-{code}"), said)
    if code == QUIC_CONNECT or via == "quic":
        return Failure("quic", _quic_code(said), said)
    return Failure("tls" if code == TLS else reached, _tls_code(said) if code == TLS else f"curl-{code}", said)


def _system_code(said):
    for pattern, code in (
        (r"connection reset", "ECONNRESET"),
        (r"network (is )?unreachable", "ENETUNREACH"),
        (r"no route to host", "EHOSTUNREACH"),
        (r"address already in use", "EADDRINUSE"),
        (r"permission denied", "EACCES"),
    ):
        if re.search(pattern, said, re.I):
            return code
    return None


def _alert(said):
    """The alert that the server sent, by its number in BoringSSL's error or in QUIC's."""
    if found := re.search(r"error:([0-9a-f]{8}):", said, re.I):
        reason = int(found[1], 16) & _REASON_BITS
        if reason - _ALERT_OFFSET in ALERTS:
            return alert_name(reason - _ALERT_OFFSET)
    if found := re.search(r"0x1([0-9a-f]{2})\b", said, re.I):
        return alert_name(int(found[1], 16))
    return None


def _tls_code(said):
    """BoringSSL's own word for what it did not like."""
    found = re.search(r":([A-Z][A-Z0-9_]+)$", said)
    return found[1].lower() if found else "failed"


def _quic_code(said):
    found = re.search(r"\b([A-Z]+_[A-Z_]+)\b", said)
    return found[1] if found else "failed"
