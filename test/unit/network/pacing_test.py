"""Pacing of TCP without fq. Run by link.test.ts."""

import os
import socket
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / "network" / "agent"))

import pacing  # noqa: E402

MAX_PACING_RATE = 47
NO_LIMIT = b"\xff" * 8


def listener(address="127.0.0.1", family=socket.AF_INET):
    listening = socket.create_server((address, 0), family=family, dualstack_ipv6=family == socket.AF_INET6)
    return listening, f"127.0.0.1:{listening.getsockname()[1]}"


def limit(of):
    return of.getsockopt(socket.SOL_SOCKET, MAX_PACING_RATE, 8)


class Pacing(unittest.TestCase):
    def test_paces_accepted_connections_of_these_listeners_alone(self):
        (own, address), (other, _) = listener(), listener()
        with own, other:
            pacing.pace(os.getpid(), [address])
            self.assertEqual(limit(other), NO_LIMIT)
            with socket.create_connection(own.getsockname()) as client, own.accept()[0] as accepted:
                self.assertEqual(limit(client), NO_LIMIT)
                self.assertNotEqual(limit(accepted), NO_LIMIT)

    def test_finds_listeners_for_any_address(self):
        with self.subTest("IPv4"):
            own, address = listener("0.0.0.0")
            with own:
                pacing.pace(os.getpid(), [address])
                self.assertNotEqual(limit(own), NO_LIMIT)
        for any_address in ("::", "::ffff:127.0.0.1"):
            with self.subTest(any_address):
                if not socket.has_dualstack_ipv6():
                    self.skipTest("no IPv6")
                own, address = listener(any_address, socket.AF_INET6)
                with own:
                    pacing.pace(os.getpid(), [address])
                    self.assertNotEqual(limit(own), NO_LIMIT)

    def test_fails_where_nothing_listens(self):
        own, address = listener()
        own.close()
        with self.assertRaisesRegex(OSError, f"nothing listens at {address}"):
            pacing.pace(os.getpid(), [address])


if __name__ == "__main__":
    unittest.main()
