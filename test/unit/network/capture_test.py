"""How packets are kept and written. Run by link.test.ts."""

import pathlib
import struct
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "network" / "agent"))

import capture  # noqa: E402
import pcapng  # noqa: E402
import tun  # noqa: E402

PACKET = 6


def tcp(data):
    head = struct.pack(">BBHHHBBHII", 0x45, 0, 40 + len(data), 0, 0, 64, 6, 0, 0x0A590001, 0x0A590101)
    return head + struct.pack(">HHIIBBHHH", 5000, 443, 0, 0, 0x50, 0x10, 0, 0, 0) + data


def blocks_of(raw):
    """Types of blocks; of packets also time, direction, frame and options, of others all that they hold."""
    blocks = []
    at = 0
    while at < len(raw):
        kind, length = struct.unpack_from("<II", raw, at)
        body = raw[at + 8 : at + length - 4]
        if kind == PACKET:
            _, high, low, size, _ = struct.unpack_from("<5I", body)
            options = body[20 + size + -size % 4 :]
            direction = struct.unpack_from("<I", options, 4)[0]
            blocks.append((kind, high << 32 | low, direction, body[20 : 20 + size], options))
        else:
            blocks.append((kind, body))
        at += length
    return blocks


def written(kept, first=0):
    """The blocks that a capture writes, and what it answers."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "packets")
        answer = kept.answer(str(file), first)
        return blocks_of(file.read_bytes()), answer


class Blocks(unittest.TestCase):
    def test_a_packet_has_the_fields_that_the_format_asks_for(self):
        block = pcapng.packet_block(0x123456789ABCDEF0, pcapng.OUTBOUND, b"abc", ["said"])
        frame = b"\x02\x00\x00\x00\x00\x02\x02\x00\x00\x00\x00\x01\x08\x00abc"
        expected = b"".join(
            (
                struct.pack("<7I", 6, 72, 0, 0x12345678, 0x9ABCDEF0, 17, 17),
                frame + bytes(3),
                struct.pack("<HHI", 2, 4, 2),
                struct.pack("<HH", 1, 4) + b"said",
                bytes(4),
                struct.pack("<I", 72),
            )
        )
        self.assertEqual(len(expected), 72)
        self.assertEqual(block, expected)

    def test_statistics_say_what_is_missing(self):
        block = pcapng.statistics_block(1, 5, 2)
        self.assertIn(struct.pack("<HHQ", 4, 8, 5) + struct.pack("<HHQ", 5, 8, 2), block)
        self.assertIn(b"2 packets found no room", block)
        self.assertEqual(struct.unpack_from("<I", block, 4)[0], len(block))
        self.assertNotIn(b"room", pcapng.statistics_block(1, 5, 0))


class Checksums(unittest.TestCase):
    def test_what_was_left_to_hardware_is_completed(self):
        for data in (b"", b"even", b"odd", b"\xff" * 1400):
            packet = tcp(data)
            addresses = sum(struct.unpack(">4H", packet[12:20])) + 6 + len(packet) - 20
            partial = addresses % 0xFFFF
            packet = packet[:36] + struct.pack(">H", partial) + packet[38:]
            done = tun.ip_packet_of(struct.pack("=BBHHHH", 1, 0, 0, 0, 20, 16) + packet)
            self.assertEqual((done[:36], done[38:]), (packet[:36], packet[38:]))
            covered = done[20:] + bytes(len(data) % 2)
            total = addresses + sum(struct.unpack(f">{len(covered) // 2}H", covered))
            self.assertEqual(total % 0xFFFF, 0)

    def test_others_are_left_as_they_are(self):
        self.assertEqual(tun.ip_packet_of(bytes(tun.HEADER_BYTES) + tcp(b"data")), tcp(b"data"))


class Kept(unittest.TestCase):
    def setUp(self):
        self.kept = capture.Capture()
        self.kept.begin(False, clock_offset_ns=1000)

    def test_the_client_s_packets_count_from_their_entry_and_the_server_s_when_they_leave(self):
        self.kept.sent(30, 90, 2, b"sent")
        self.kept.received(10, 50, 1, b"received")
        self.kept.sent(20, 60, 1.5, b"gone", capture.LOST)
        blocks, answer = written(self.kept)
        found = [(time, direction, frame[14:]) for _, time, direction, frame, _ in blocks[:-1]]
        outbound, inbound = pcapng.OUTBOUND, pcapng.INBOUND
        expected = [(1020, outbound, b"gone"), (1030, outbound, b"sent"), (1050, inbound, b"received")]
        self.assertEqual(found, expected)
        self.assertEqual([b"lost on the path" in options for *_, options in blocks[:-1]], [True, False, False])
        self.assertEqual((blocks[-1][0], answer), (5, {"status": 0, "next": None, "missed": 0}))

    def test_what_a_server_sent_in_vain_stands_between_its_neighbours(self):
        # The link sends a little too early or late.
        for number, left in ((1, 100), (2, 130), (3, 140)):
            self.kept.received(0, left, number, str(number).encode())
        for number, would_leave in ((0.5, 105), (1.5, 99), (2.5, 200), (3.5, 145)):
            self.kept.received(0, would_leave, number, str(number).encode(), capture.LOST)
        blocks, _ = written(self.kept)
        found = [(time - 1000, frame[14:].decode()) for _, time, _, frame, _ in blocks[:-1]]
        expected = [(100, "0.5"), (100, "1"), (100, "1.5"), (130, "2"), (140, "2.5"), (140, "3"), (145, "3.5")]
        self.assertEqual(found, expected)

    def test_later_packets_than_counted_are_left_out(self):
        self.kept.sent(1, 1, 1, b"counted")
        self.kept.sent(2, 2, 2, b"on its way", capture.ON_ITS_WAY)
        self.kept.end()
        self.kept.sent(3, 3, 3, b"later")
        blocks, _ = written(self.kept)
        self.assertEqual([frame[14:] for _, _, _, frame, _ in blocks[:-1]], [b"counted", b"on its way"])
        self.assertIn(capture.ON_ITS_WAY.encode(), blocks[1][4])

    def test_beyond_the_room_packets_are_missed_and_counted(self):
        kept = capture.Capture(most_bytes=1000)
        for number in range(5):
            kept.sent(number, number, number, bytes(200))
        blocks, answer = written(kept)
        self.assertEqual((len(blocks), answer["missed"]), (2 + 1, 3))
        self.assertIn(struct.pack("<HHQ", 5, 8, 3), blocks[-1][1])
        kept.begin(False)
        kept.sent(9, 9, 9, bytes(200))
        self.assertEqual(len(written(kept)[0]), 2)
        self.assertEqual(kept.missed, 0)

    def test_a_file_that_cannot_be_written_is_told(self):
        answer = self.kept.answer("/nowhere/packets", 0)
        self.assertEqual(answer["status"], 1)
        self.assertIn("/nowhere/packets", answer["stderr"])

    def test_what_takes_too_long_goes_on_where_it_stopped(self):
        for number in range(3):
            self.kept.sent(number, number, number, bytes([number]))
        limit, capture._WRITE_NS = capture._WRITE_NS, -1
        try:
            self.assertEqual(written(self.kept, 1)[1]["next"], 1)
        finally:
            capture._WRITE_NS = limit
        blocks, answer = written(self.kept, 1)
        self.assertEqual([frame[14:] for _, _, _, frame, _ in blocks[:-1]], [b"\1", b"\2"])
        self.assertIsNone(answer["next"])


if __name__ == "__main__":
    unittest.main()
