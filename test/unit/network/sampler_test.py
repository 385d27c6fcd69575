"""How TCP_INFO is asked for, kept and written. Run by link.test.ts."""

import gzip
import json
import pathlib
import socket
import struct
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "network" / "agent"))

import tcp_info  # noqa: E402
from sampler import Samples  # noqa: E402

# Numbers of struct tcp_info by their place in bytes (linux/tcp.h): those of 8 bytes are said so.
MSS, UNACKED, SACKED, LOST, RETRANS = 16, 24, 28, 32, 36
RTT, RTTVAR, SSTHRESH, CWND = 68, 72, 76, 80
TOTAL_RETRANS, BYTES_ACKED, MIN_RTT, DELIVERY_RATE = 100, 120, 148, 160
BUSY, RWND_LIMITED, SNDBUF_LIMITED, WINDOW = 168, 176, 184, 228
OF_8_BYTES = {BYTES_ACKED, DELIVERY_RATE, BUSY, RWND_LIMITED, SNDBUF_LIMITED}


def tcp_info_with(numbers):
    info = bytearray(240)
    for at, number in numbers.items():
        struct.pack_into("=Q" if at in OF_8_BYTES else "=I", info, at, number)
    return bytes(info)


def answer_about(cookie, numbers=None, client=("10.89.0.1", 4000), state=1):
    """One netlink message about a connection of the server 10.89.1.1:443, as the kernel sends it."""
    address, port = client
    ends = struct.pack(">HH", 443, port) + socket.inet_aton("10.89.1.1") + bytes(12)
    ends += socket.inet_aton(address) + bytes(12) + bytes(4) + cookie.to_bytes(8, "little")
    body = bytes((socket.AF_INET, state, 0, 0)) + ends + bytes(20)
    # Another attribute comes before the one that is wanted.
    body += struct.pack("=HH", 5, 4)[:2] + struct.pack("=H", 8) + b"cube"
    info = tcp_info_with(numbers or {})
    body += struct.pack("=HH", 4 + len(info), 2) + info
    return struct.pack("=IHHII", 16 + len(body), 20, 2, 0, 0) + body


class Numbers(unittest.TestCase):
    def test_every_number_is_read_from_its_place_and_has_its_unit(self):
        numbers = {MSS: 1448, CWND: 32, SSTHRESH: 20, UNACKED: 9, SACKED: 2, LOST: 1, RETRANS: 1}
        numbers |= {RTT: 30500, RTTVAR: 1500, MIN_RTT: 30001, TOTAL_RETRANS: 4, BYTES_ACKED: 77, WINDOW: 65535}
        numbers |= {DELIVERY_RATE: 125_000, BUSY: 9000, RWND_LIMITED: 8000, SNDBUF_LIMITED: 7000}
        [(cookie, read)] = tcp_info.connections([answer_about(5, numbers)])
        self.assertEqual(cookie, (5).to_bytes(8, "little"))
        expected = {
            "client": "10.89.0.1:4000",
            "server": "10.89.1.1:443",
            "state": "ESTABLISHED",
            "mssBytes": 1448,
            "cwndSegments": 32,
            "cwndBytes": 32 * 1448,
            "ssthreshBytes": 20 * 1448,
            # Those sent, but for what arrived out of order or is taken for lost, and what was sent again.
            "inFlightBytes": 7 * 1448,
            "unackedSegments": 9,
            "lostSegments": 1,
            "retransmittedSegments": 4,
            "ackedBytes": 77,
            "offeredBytes": 65535,
            "rttMs": 30.5,
            "rttVarMs": 1.5,
            "minRttMs": 30.001,
            "deliveryRateKbps": 1000,
            "busyMs": 9,
            "rwndLimitedMs": 8,
            "sndbufLimitedMs": 7,
        }
        self.assertEqual({key: read[key] for key in expected}, expected)

    def test_what_was_never_set_is_no_number(self):
        numbers = {SSTHRESH: 0x7FFFFFFF, MIN_RTT: 0xFFFFFFFF}
        [(_, read)] = tcp_info.connections([answer_about(5, numbers)])
        self.assertIsNone(read["ssthreshBytes"])
        self.assertIsNone(read["minRttMs"])

    def test_several_connections_may_come_in_one_answer_or_in_several(self):
        answers = [answer_about(1) + answer_about(2), answer_about(3, state=4)]
        states = [read["state"] for _, read in tcp_info.connections(answers)]
        self.assertEqual(states, ["ESTABLISHED", "ESTABLISHED", "FIN_WAIT1"])

    def test_of_the_machine_only_connections_to_the_client_are_read_also_by_sockets_of_both_families(self):
        with socket.socket(socket.AF_INET6) as server, tcp_info.open_diag() as diag:
            server.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
            server.bind(("::", 0))
            server.listen()
            port = server.getsockname()[1]
            with socket.create_connection(("127.0.0.1", port)) as client, server.accept()[0] as accepted:
                accepted.sendall(bytes(1000))
                own = f"127.0.0.1:{client.getsockname()[1]}"
                answers = tcp_info.query(diag, socket.AF_INET6)
                found = [read for _, read in tcp_info.connections(answers, peer="127.0.0.1")]
                others = list(tcp_info.connections(answers, peer="10.89.0.1"))
        [read] = [each for each in found if each["client"] == own]
        self.assertEqual(read["server"], f"127.0.0.1:{port}")
        self.assertEqual(read["sentBytes"], 1000)
        self.assertEqual(others, [])

    def test_the_kernel_of_this_machine_tells_of_a_connection(self):
        with socket.create_server(("127.0.0.1", 0)) as server, tcp_info.open_diag() as diag:
            address, port = server.getsockname()
            with socket.create_connection((address, port)) as client, server.accept()[0] as accepted:
                accepted.sendall(bytes(1000))
                client.recv(1000, socket.MSG_WAITALL)
                own = f"{address}:{client.getsockname()[1]}"
                answers = tcp_info.query(diag)
                found = [read for _, read in tcp_info.connections(answers) if read["client"] == own]
                other_end = [read for _, read in tcp_info.connections(answers, at_client=True)]
        self.assertEqual(len(found), 1)
        # Both ends are of this machine: asked as the client's, it is the client's socket that has this port.
        [of_client] = [read for read in other_end if read["client"] == own]
        self.assertEqual(of_client["sentBytes"], 0)
        self.assertEqual(of_client["server"], f"{address}:{port}")
        self.assertEqual(found[0]["server"], f"{address}:{port}")
        self.assertEqual(found[0]["sentBytes"], 1000)
        self.assertGreaterEqual(found[0]["cwndSegments"], 1)
        self.assertGreater(found[0]["rttMs"], 0)


class OfALoad(unittest.TestCase):
    def setUp(self):
        self.now = []
        self.samples = Samples(lambda: list(self.now))

    def written(self):
        with tempfile.NamedTemporaryFile(suffix=".gz") as file:
            self.assertIsNone(self.samples.write(file.name, 0))
            with gzip.open(file.name, "rt") as lines:
                return [json.loads(line) for line in lines]

    def test_connections_of_before_are_left_out_even_if_a_port_is_used_again(self):
        self.now = [answer_about(1)]
        self.samples.begin(False)
        self.samples.take()
        self.now = [answer_about(1) + answer_about(2)]
        self.samples.take()
        self.assertEqual(len(self.written()), 1)

    def test_connections_of_before_stay_when_they_are_kept(self):
        self.samples.begin(False)
        self.now = [answer_about(1)]
        self.samples.begin(True)
        self.samples.take()
        self.assertEqual(len(self.written()), 1)

    def test_a_load_begins_without_the_samples_of_the_one_before(self):
        self.samples.begin(False)
        self.now = [answer_about(1)]
        self.samples.take()
        self.samples.begin(True)
        self.assertEqual(self.written(), [])

    def test_samples_have_the_time_of_the_wall_clock(self):
        self.samples.begin(False)
        self.now = [answer_about(1)]
        self.samples.take()
        self.samples.take()
        first, second = self.written()
        self.assertGreater(first["s"], 1_700_000_000)
        self.assertLessEqual((first["s"], first["ns"]), (second["s"], second["ns"]))

    def test_what_finds_no_room_is_missed_and_counted(self):
        self.now = [answer_about(1)]
        samples = Samples(lambda: list(self.now), most_bytes=2 * len(self.now[0]))
        samples.begin(True)
        for _ in range(5):
            samples.take()
        self.samples = samples
        self.assertEqual(len(self.written()), 2)
        self.assertEqual(samples.missed, 3)


if __name__ == "__main__":
    unittest.main()
