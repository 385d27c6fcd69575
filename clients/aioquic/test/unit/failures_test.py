"""What the ends of aioquic's connections become. Run by python.test.ts."""

import errno
import os
import pathlib
import sys
import unittest
from types import SimpleNamespace

OWN = pathlib.Path(__file__).parents[2]
sys.path[:0] = [str(OWN.parent / "python"), str(OWN)]

from failures import failure_of, reset, system_failure, timeout  # noqa: E402

CRYPTO_FRAME = 6


def reported(error_code, reason="", frame_type=CRYPTO_FRAME):
    ended = SimpleNamespace(error_code=error_code, reason_phrase=reason, frame_type=frame_type)
    return failure_of(ended).reported


def brief(*args, **options):
    failure = reported(*args, **options)
    return failure["layer"], failure["code"]


class Failures(unittest.TestCase):
    def test_alerts_are_of_tls(self):
        self.assertEqual(
            reported(0x178, "No common ALPN protocols"),
            {
                "layer": "tls",
                "code": "no_application_protocol",
                "reason": "TLS ended with the alert no_application_protocol: No common ALPN protocols",
            },
        )
        self.assertEqual(brief(0x128), ("tls", "handshake_failure"))
        self.assertEqual(brief(0x1FE), ("tls", "alert_254"))

    def test_one_alert_for_all_certificates_is_told_by_what_is_said_with_it(self):
        self.assertEqual(brief(0x12A, "unable to get local issuer certificate"), ("tls", "UNABLE_TO_GET_ISSUER_CERT_LOCALLY"))
        self.assertEqual(brief(0x12D, "Certificate is no longer valid"), ("tls", "CERT_HAS_EXPIRED"))
        self.assertEqual(brief(0x12A, "hostname 'a.test' doesn't match 'b.test'"), ("tls", "HOSTNAME_MISMATCH"))
        self.assertEqual(brief(0x12D, "Certificate is not valid yet"), ("tls", "CERT_NOT_YET_VALID"))
        self.assertEqual(brief(0x12A), ("tls", "bad_certificate"))

    def test_errors_of_quic_keep_their_names_and_unknown_ones_their_numbers(self):
        self.assertEqual(reported(2, "go away")["reason"], "QUIC ended with CONNECTION_REFUSED: go away")
        self.assertEqual(brief(2), ("quic", "CONNECTION_REFUSED"))
        self.assertEqual(brief(0x99), ("quic", "0x99"))
        self.assertEqual(brief(1, "Could not find a common protocol version"), ("quic", "VERSION_NEGOTIATION"))

    def test_what_the_application_ends_is_of_http(self):
        self.assertEqual(brief(0x10B, frame_type=None), ("http", "H3_REQUEST_REJECTED"))
        self.assertEqual(brief(0x178, frame_type=None), ("http", "0x178"))
        self.assertEqual(reset(0x10B).reported["code"], "H3_REQUEST_REJECTED")

    def test_a_timeout_says_what_did_not_come(self):
        self.assertEqual(timeout("udp", 400).reported, {"layer": "udp", "code": "timeout", "reason": "No answer at all within 0.4 s."})
        self.assertEqual(timeout("quic", 3000).reported["reason"], "No connection within 3 s.")
        self.assertEqual(timeout("http", 3000).reported["layer"], "http")

    def test_what_the_system_refuses_has_its_name(self):
        refused = OSError(errno.ECONNREFUSED, os.strerror(errno.ECONNREFUSED))
        self.assertEqual(system_failure(refused).reported, {"layer": "udp", "code": "ECONNREFUSED", "reason": "Connection refused."})
        taken = OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
        self.assertEqual(system_failure(taken).reported["layer"], "client")


if __name__ == "__main__":
    unittest.main()
