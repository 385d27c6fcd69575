"""TLS in words: alerts, cipher suites and groups as IANA's registries have them, and what is wrong with certificates."""

import re

# RFC 8446, 6; RFC 5246, 7.2; RFC 7301, 3.2.
ALERTS = {
    0: "close_notify",
    10: "unexpected_message",
    20: "bad_record_mac",
    21: "decryption_failed",
    22: "record_overflow",
    30: "decompression_failure",
    40: "handshake_failure",
    41: "no_certificate",
    42: "bad_certificate",
    43: "unsupported_certificate",
    44: "certificate_revoked",
    45: "certificate_expired",
    46: "certificate_unknown",
    47: "illegal_parameter",
    48: "unknown_ca",
    49: "access_denied",
    50: "decode_error",
    51: "decrypt_error",
    60: "export_restriction",
    70: "protocol_version",
    71: "insufficient_security",
    80: "internal_error",
    86: "inappropriate_fallback",
    90: "user_canceled",
    100: "no_renegotiation",
    109: "missing_extension",
    110: "unsupported_extension",
    111: "certificate_unobtainable",
    112: "unrecognized_name",
    113: "bad_certificate_status_response",
    114: "bad_certificate_hash_value",
    115: "unknown_psk_identity",
    116: "certificate_required",
    120: "no_application_protocol",
    121: "ech_required",
}

CIPHERS = {
    0x002F: "TLS_RSA_WITH_AES_128_CBC_SHA",
    0x0035: "TLS_RSA_WITH_AES_256_CBC_SHA",
    0x009C: "TLS_RSA_WITH_AES_128_GCM_SHA256",
    0x009D: "TLS_RSA_WITH_AES_256_GCM_SHA384",
    0x1301: "TLS_AES_128_GCM_SHA256",
    0x1302: "TLS_AES_256_GCM_SHA384",
    0x1303: "TLS_CHACHA20_POLY1305_SHA256",
    0xC009: "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
    0xC00A: "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
    0xC013: "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
    0xC014: "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA",
    0xC027: "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256",
    0xC02B: "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
    0xC02C: "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
    0xC02F: "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
    0xC030: "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
    0xCCA8: "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
    0xCCA9: "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
}

GROUPS = {
    23: "secp256r1",
    24: "secp384r1",
    25: "secp521r1",
    29: "X25519",
    30: "X448",
    4588: "X25519MLKEM768",
    25497: "X25519Kyber768Draft00",
}

# What OpenSSL, BoringSSL, libcurl and aioquic say of a certificate, and what OpenSSL calls it. The first that fits is meant.
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
    """An alert by its number; one that nobody knows by number."""
    return ALERTS.get(number, f"alert_{number}")


def cipher_name(number):
    """A cipher suite by its number; one that is rare by number."""
    return CIPHERS.get(number, f"suite 0x{number:04x}")


def group_name(number):
    """A group of the key exchange by its number; one that is rare by number."""
    return GROUPS.get(number, f"group {number}")


def certificate_code(text):
    """What is wrong with a certificate by OpenSSL's name for it."""
    return next((code for pattern, code in _CERTIFICATE if re.search(pattern, text, re.I)), "CERT_REJECTED")
