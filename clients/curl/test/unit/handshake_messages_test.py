"""What is read from the messages of TLS. Run by python.test.ts."""

import pathlib
import sys
import unittest

OWN = pathlib.Path(__file__).parents[2]
sys.path[:0] = [str(OWN.parent / "python"), str(OWN)]

from handshake_messages import HandshakeMessages  # noqa: E402


def sized(data, width):
    return len(data).to_bytes(width, "big") + data


def message(kind, body):
    return bytes([kind]) + sized(body, 3)


def extension(kind, data):
    return kind.to_bytes(2, "big") + sized(data, 2)


def server_hello(suite, *extensions, random=bytes(32), session=bytes(32)):
    body = b"\x03\x03" + random + sized(session, 1) + suite.to_bytes(2, "big") + b"\x00" + sized(b"".join(extensions), 2)
    return message(2, body)


def key_share(group, size=32):
    return extension(51, group.to_bytes(2, "big") + sized(bytes(size), 2))


class TheServersMessages(unittest.TestCase):
    def test_of_tls_1_3_have_suite_group_and_the_chain_without_its_extensions(self):
        messages = HandshakeMessages(is_tls13=True)
        messages.take(server_hello(0x1301, extension(43, b"\x03\x04"), key_share(29)))
        chain = sized(bytes(400), 3) + sized(extension(5, bytes(70)), 2) + sized(bytes(700), 3) + sized(b"", 2)
        messages.take(message(11, b"\x00" + sized(chain, 3)))
        messages.take(message(4, bytes(80)))
        messages.take(message(4, bytes(80)))
        self.assertEqual((messages.cipher, messages.group), ("TLS_AES_128_GCM_SHA256", "X25519"))
        self.assertEqual((messages.certificate_chain_bytes, messages.tickets), (1100, 2))

    def test_of_tls_1_2_have_the_group_in_the_key_exchange(self):
        messages = HandshakeMessages(is_tls13=False)
        messages.take(server_hello(0xC02B, extension(16, bytes(5)), session=b""))
        messages.take(message(11, sized(sized(bytes(400), 3) + sized(bytes(700), 3), 3)))
        messages.take(message(12, b"\x03\x00\x17" + sized(bytes(65), 1) + bytes(80)))
        self.assertEqual((messages.cipher, messages.group), ("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "secp256r1"))
        self.assertEqual((messages.certificate_chain_bytes, messages.tickets), (1100, 0))

    def test_a_hello_that_asks_for_another_one_is_not_the_answer(self):
        messages = HandshakeMessages(is_tls13=True)
        asks_again = bytes.fromhex("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c")
        messages.take(server_hello(0x1302, extension(51, b"\x00\x17"), random=asks_again))
        self.assertEqual((messages.cipher, messages.group), (None, None))
        messages.take(server_hello(0x1302, key_share(23, 65)))
        self.assertEqual((messages.cipher, messages.group), ("TLS_AES_256_GCM_SHA384", "secp256r1"))

    def test_a_resumed_handshake_has_no_chain_and_a_rare_group_a_number(self):
        messages = HandshakeMessages(is_tls13=True)
        messages.take(server_hello(0x1399, extension(41, b"\x00\x00"), key_share(999)))
        self.assertIsNone(messages.certificate_chain_bytes)
        self.assertEqual((messages.cipher, messages.group), ("suite 0x1399", "group 999"))


if __name__ == "__main__":
    unittest.main()
