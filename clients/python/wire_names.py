"""Names of protocol numbers, from ground/records/wire-names.json, and of certificate problems."""

import json
import re
from pathlib import Path

_TABLES = json.loads((Path(__file__).parents[2] / "ground" / "records" / "wire-names.json").read_text())


def _by_number(table):
    return {int(key, 0): name for key, name in _TABLES[table].items()}


ALERTS = _by_number("tlsAlerts")
TRANSPORT_ERRORS = _by_number("quicTransportErrors")
HTTP3_ERRORS = _by_number("http3Errors")
_CIPHERS = _by_number("tlsCipherSuites")
_GROUPS = _by_number("tlsGroups")

# TLS libraries' texts about certificates, and OpenSSL's name for each problem. The first match counts.
_CERTIFICATE = (
    (r"expired|no longer valid", "CERT_HAS_EXPIRED"),
    (r"not (yet valid|valid yet)", "CERT_NOT_YET_VALID"),
    (r"signature failure", "CERT_SIGNATURE_FAILURE"),
    (r"self[- ]signed certificate in certificate chain", "SELF_SIGNED_CERT_IN_CHAIN"),
    (r"self[- ]signed", "DEPTH_ZERO_SELF_SIGNED_CERT"),
    (r"unable to get local issuer", "UNABLE_TO_GET_ISSUER_CERT_LOCALLY"),
    (r"unable to get issuer", "UNABLE_TO_GET_ISSUER_CERT"),
    (r"unable to verify the first", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"),
    (r"revoked", "CERT_REVOKED"),
    (r"purpose", "INVALID_PURPOSE"),
    (r"subject name|hostname|doesn't match|does not match", "HOSTNAME_MISMATCH"),
)


def alert_name(number):
    """Name of a TLS alert, or its number if unknown."""
    return ALERTS.get(number, f"alert_{number}")


def cipher_name(number):
    """Name of a cipher suite, or its number if unknown."""
    return _CIPHERS.get(number, f"suite 0x{number:04x}")


def group_name(number):
    """Name of a key exchange group, or its number if unknown."""
    return _GROUPS.get(number, f"group {number}")


def certificate_code(text):
    """OpenSSL's name for a certificate problem."""
    return next((code for pattern, code in _CERTIFICATE if re.search(pattern, text, re.I)), "CERT_REJECTED")
