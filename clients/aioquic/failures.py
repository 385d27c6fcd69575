"""Maps aioquic's connection errors to the reasons of ground/records/connection-attempt.ts."""

import errno

from contract import Failure
from wire_names import HTTP3_ERRORS, TRANSPORT_ERRORS, alert_name, certificate_code

# CRYPTO_ERROR: the TLS alert is added to it (RFC 9000, 20.1).
_CRYPTO_ERROR = 0x100
# bad_certificate and certificate_expired: aioquic's own alerts come with the certificate's problem as text.
_OF_CERTIFICATES = (42, 45)
_OF_THE_LOCAL_PORT = ("EADDRINUSE", "EADDRNOTAVAIL", "EACCES")
# aioquic's text for Version Negotiation, for which QUIC has no error code.
_NO_COMMON_VERSION = "common protocol version"


def failure_of(ended):
    """The failure for aioquic's ConnectionTerminated; either end may have sent the CONNECTION_CLOSE."""
    code, said = ended.error_code, ended.reason_phrase
    # The application's CONNECTION_CLOSE (type 0x1d) has no frame type.
    if ended.frame_type is None:
        name = _name(HTTP3_ERRORS, code)
        return Failure("http", name, _sentence(f"HTTP/3 ended with {name}", said))
    if _CRYPTO_ERROR <= code < _CRYPTO_ERROR + 0x100:
        number = code - _CRYPTO_ERROR
        name = certificate_code(said) if number in _OF_CERTIFICATES and said else alert_name(number)
        return Failure("tls", name, _sentence(f"TLS ended with the alert {alert_name(number)}", said))
    if _NO_COMMON_VERSION in said:
        return Failure("quic", "VERSION_NEGOTIATION", _sentence("The server speaks no version of QUIC that aioquic does", ""))
    name = _name(TRANSPORT_ERRORS, code)
    return Failure("quic", name, _sentence(f"QUIC ended with {name}", said))


def timeout(reached, timeout_ms):
    """The failure for a timeout; `reached`: the layer that did not respond."""
    what = {"udp": "answer at all", "quic": "connection", "http": "answer"}[reached]
    return Failure(reached, "timeout", f"No {what} within {timeout_ms / 1000:g} s.")


def reset(error_code):
    """The failure for a reset of the request's stream by the server."""
    name = _name(HTTP3_ERRORS, error_code)
    return Failure("http", name, f"The server reset the stream of the request with {name}.")


def system_failure(error):
    """The failure for an error of the operating system while sending or receiving."""
    code = errno.errorcode.get(error.errno, f"errno-{error.errno}")
    return Failure("client" if code in _OF_THE_LOCAL_PORT else "udp", code, f"{error.strerror}.")


def _name(names, code):
    return names.get(code, f"0x{code:x}")


def _sentence(what, said):
    return f"{what}: {said}" if said else f"{what}."
