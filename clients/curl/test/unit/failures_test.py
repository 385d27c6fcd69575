"""What libcurl's errors become. Run by python.test.ts."""

import pathlib
import sys
import unittest

OWN = pathlib.Path(__file__).parents[2]
sys.path[:0] = [str(OWN.parent / "python"), str(OWN)]

from failures import failure_of, refused_request  # noqa: E402


def reported(name, message, via="tls1.3", reached="tls"):
    return failure_of(name, message, via, reached, 2500).reported


def brief(*args, **options):
    failure = reported(*args, **options)
    return failure["layer"], failure["code"]


class Failures(unittest.TestCase):
    def test_a_timeout_is_of_the_layer_that_the_connection_was_in(self):
        for reached in ("udp", "quic", "tcp", "tls"):
            self.assertEqual(
                reported("OPERATION_TIMEDOUT", "Connection timed out after 2501 milliseconds", reached=reached),
                {"layer": reached, "code": "timeout", "reason": "No connection within 2.5 s."},
            )
        self.assertEqual(reported("OPERATION_TIMEDOUT", "", reached="http")["reason"], "No answer within 2.5 s.")

    def test_what_the_system_says_is_of_udp_or_tcp(self):
        refused = "connect to 127.0.0.1 port 9 from 127.0.0.1 port 44204 failed: Connection refused"
        self.assertEqual(brief("COULDNT_CONNECT", refused, reached="tcp"), ("tcp", "ECONNREFUSED"))
        self.assertEqual(
            brief("COULDNT_CONNECT", "QUIC: connection to 127.0.0.1 port 9 refused", via="quic", reached="udp"), ("udp", "ECONNREFUSED")
        )
        self.assertEqual(brief("SSL_CONNECT_ERROR", "Recv failure: Connection reset by peer"), ("tcp", "ECONNRESET"))
        self.assertEqual(brief("INTERFACE_FAILED", "bind failed with errno 98: Address already in use"), ("client", "EADDRINUSE"))
        self.assertEqual(brief("COULDNT_RESOLVE_HOST", "Could not resolve host: a.test", reached="tcp"), ("dns", "ENOTFOUND"))

    def test_names_an_alert(self):
        say = "TLS connect error: error:{}:SSL routines:OPENSSL_internal:{}".format
        for number, word, alert in (
            ("10000460", "TLSV1_ALERT_NO_APPLICATION_PROTOCOL", "no_application_protocol"),
            ("1000042e", "TLSV1_ALERT_PROTOCOL_VERSION", "protocol_version"),
            ("10000410", "SSLV3_ALERT_HANDSHAKE_FAILURE", "handshake_failure"),
            ("10000458", "TLSV1_UNRECOGNIZED_NAME", "unrecognized_name"),
        ):
            self.assertEqual(brief("SSL_CONNECT_ERROR", say(number, word)), ("tls", alert))

    def test_what_the_client_itself_does_not_like_keeps_its_word(self):
        message = "TLS connect error: error:100000f7:SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER"
        self.assertEqual(brief("SSL_CONNECT_ERROR", message), ("tls", "wrong_version_number"))
        self.assertEqual(brief("SSL_CONNECT_ERROR", "TLS connect error: unexpected eof"), ("tls", "failed"))

    def test_distinguishes_untrusted_certificates(self):
        for message, code in (
            ("SSL certificate OpenSSL verify result: unable to get local issuer certificate (20)", "UNABLE_TO_GET_ISSUER_CERT_LOCALLY"),
            ("SSL certificate OpenSSL verify result: self-signed certificate (18)", "DEPTH_ZERO_SELF_SIGNED_CERT"),
            ("SSL certificate OpenSSL verify result: certificate has expired (10)", "CERT_HAS_EXPIRED"),
            ("SSL: no alternative certificate subject name matches target hostname 'a.test'", "HOSTNAME_MISMATCH"),
            ("SSL certificate OpenSSL verify result: unsupported certificate purpose (26)", "INVALID_PURPOSE"),
            ("SSL certificate OpenSSL verify result: certificate signature failure (7)", "CERT_SIGNATURE_FAILURE"),
            ("SSL certificate OpenSSL verify result: something new (99)", "CERT_REJECTED"),
        ):
            self.assertEqual(brief("PEER_FAILED_VERIFICATION", message, via="quic", reached="quic"), ("tls", code))

    def test_what_libcurl_does_not_tell_of_quic_is_not_guessed(self):
        message = "Failed to connect to a.test:443 after 4 ms: Could not connect to server"
        self.assertEqual(brief("COULDNT_CONNECT", message, via="quic", reached="udp"), ("quic", "closed"))
        failure = reported("RECV_ERROR", "ngtcp2_conn_writev_stream returned error: ERR_DRAINING", via="quic", reached="http")
        self.assertEqual((failure["layer"], failure["code"]), ("quic", "closed"))
        self.assertIn("before it had answered; libcurl does not report why", failure["reason"])

    def test_a_connection_without_a_proper_answer_failed_in_http(self):
        self.assertEqual(brief("GOT_NOTHING", "Empty reply from server", reached="http"), ("http", "GOT_NOTHING"))
        self.assertEqual(brief("HTTP3", "HTTP/3 stream error", via="quic", reached="http"), ("http", "HTTP3"))
        self.assertEqual(refused_request().reported["code"], "REQUEST_REFUSED")


if __name__ == "__main__":
    unittest.main()
