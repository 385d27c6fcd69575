"""Which packets are a load's. Run by link.test.ts."""

import pathlib
import struct
import sys
import unittest

ROOT = pathlib.Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "network" / "agent"))

from ports import ClientPorts  # noqa: E402

TCP, UDP, ICMP = 6, 17, 1
SYN, ACK = 0x02, 0x10
BEFORE, AFTER = 40_001, 40_002
SERVER_PORT = 443
INITIAL, SHORT = 0xC3, 0x43
# In version 2 the same bits mean Retry.
INITIAL_2, QUIC_2 = 0xD3, bytes.fromhex("6b3343cf")


def packet(protocol, source, target, rest):
    head = struct.pack(">BBHHHBBHII", 0x45, 0, 0, 0, 0, 64, protocol, 0, 0, 0)
    return head + struct.pack(">HH", source, target) + rest


def tcp(source, target, flags):
    return packet(TCP, source, target, struct.pack(">IIBBHHH", 0, 0, 0x50, flags, 0, 0, 0))


def udp(source, target, first_byte, version=bytes(4)):
    return packet(UDP, source, target, bytes(4) + bytes([first_byte]) + version + bytes(16))


class Loads(unittest.TestCase):
    def setUp(self):
        self.ports = ClientPorts()

    def owns(self, made, source, *what):
        """Whether packets from a port of the client, and back to it, are the load's."""
        sent = self.ports.owns_sent(made(source, SERVER_PORT, *what))
        return sent, self.ports.owns_received(made(SERVER_PORT, source, *what))

    def test_connections_of_the_load_are_its_own(self):
        self.assertEqual(self.owns(tcp, BEFORE, ACK), (True, True))
        self.assertEqual(self.owns(udp, BEFORE, SHORT), (True, True))

    def test_those_from_before_are_not_and_others_are(self):
        self.owns(tcp, BEFORE, SYN)
        self.ports.begin_load(keeps_connections=False)
        self.assertEqual(self.owns(tcp, BEFORE, ACK), (False, False))
        self.assertEqual(self.owns(tcp, AFTER, ACK), (True, True))
        # The same port of another protocol is another port.
        self.assertEqual(self.owns(udp, BEFORE, SHORT), (True, True))

    def test_a_port_that_only_received_is_from_before_too(self):
        self.ports.owns_received(udp(SERVER_PORT, BEFORE, SHORT))
        self.ports.begin_load(keeps_connections=False)
        self.assertEqual(self.owns(udp, BEFORE, SHORT), (False, False))

    def test_they_stay_from_before_in_later_loads(self):
        self.owns(tcp, BEFORE, SYN)
        self.ports.begin_load(keeps_connections=False)
        self.ports.begin_load(keeps_connections=False)
        self.ports.begin_load(keeps_connections=True)
        self.assertEqual(self.owns(tcp, BEFORE, ACK), (False, False))

    def test_a_load_that_keeps_connections_owns_those_of_the_load_before(self):
        self.owns(tcp, BEFORE, SYN)
        self.ports.begin_load(keeps_connections=True)
        self.assertEqual(self.owns(tcp, BEFORE, ACK), (True, True))

    def test_a_syn_or_an_initial_makes_a_port_new(self):
        kinds = (
            (tcp, (SYN,), (ACK,)),
            (udp, (INITIAL,), (SHORT,)),
            (udp, (INITIAL_2, QUIC_2), (INITIAL, QUIC_2)),
        )
        for made, first, later in kinds:
            self.owns(made, BEFORE, *first)
            self.ports.begin_load(keeps_connections=False)
            self.assertEqual(self.owns(made, BEFORE, *later), (False, False))
            self.assertEqual(self.owns(made, BEFORE, *first), (True, True))
            self.assertEqual(self.owns(made, BEFORE, *later), (True, True))

    def test_the_server_s_answer_to_a_syn_makes_none_new(self):
        self.owns(tcp, BEFORE, SYN)
        self.ports.begin_load(keeps_connections=False)
        self.assertFalse(self.ports.owns_received(tcp(SERVER_PORT, BEFORE, SYN | ACK)))
        self.assertFalse(self.ports.owns_sent(tcp(BEFORE, SERVER_PORT, SYN | ACK)))

    def test_what_has_no_ports_is_of_no_load(self):
        for strange in (packet(ICMP, BEFORE, 0, bytes(20)), b"", b"\x45", bytes(40)):
            self.assertFalse(self.ports.owns_sent(strange))
            self.assertFalse(self.ports.owns_received(strange))

    def test_short_packets_begin_nothing(self):
        for protocol in (TCP, UDP):
            self.ports.owns_sent(packet(protocol, BEFORE, SERVER_PORT, bytes(20)))
            self.ports.begin_load(keeps_connections=False)
            self.assertFalse(self.ports.owns_sent(packet(protocol, BEFORE, SERVER_PORT, b"")))
