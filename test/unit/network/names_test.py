"""What the name server of the client's namespace answers. Run by link.test.ts."""

import pathlib
import socket
import struct
import sys
import unittest

ROOT = pathlib.Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "network" / "agent"))

from names import Names, read_question  # noqa: E402

A, AAAA, HTTPS = 1, 28, 65
NO_SUCH_NAME = 3
ADDRESSES = {"a.test": "10.89.1.1"}


def query(name, kind, flags=0x0100, questions=1):
    labels = b"".join(bytes([len(label)]) + label.encode() for label in name.split("."))
    # With room for a large answer, as browsers ask (RFC 6891).
    options = b"\0" + struct.pack("!HHIH", 41, 1232, 0, 0)
    return struct.pack("!6H", 7, flags, questions, 0, 0, 1) + labels + b"\0" + struct.pack("!HH", kind, 1) + options


def status_and_data(answer):
    """The status of an answer, and the data of its records."""
    number, flags, questions, count, _, _ = struct.unpack_from("!6H", answer)
    assert (number, questions, flags & 0x8000) == (7, 1, 0x8000)
    at = answer.index(b"\0", 12) + 5
    data = []
    for _ in range(count):
        pointer, _, _, _, length = struct.unpack_from("!HHHIH", answer, at)
        assert pointer == 0xC00C
        data.append(answer[at + 12 : at + 12 + length])
        at += 12 + length
    assert at == len(answer)
    return flags & 0xF, data


class Answers(unittest.TestCase):
    def test_a_known_name_has_its_address_whatever_its_letters(self):
        names = Names(ADDRESSES)
        for name in ("a.test", "A.Test"):
            self.assertEqual(status_and_data(names.answer(query(name, A))), (0, [socket.inet_aton("10.89.1.1")]))

    def test_it_has_no_other_record_unless_it_is_to_have_an_https_record(self):
        names = Names(ADDRESSES)
        for kind in (AAAA, HTTPS):
            self.assertEqual(status_and_data(names.answer(query("a.test", kind))), (0, []))
        # RFC 9460: priority 1, the name itself, alpn=h3,h2.
        record = bytes.fromhex("0001 00 0001 0006 02 6833 02 6832")
        told = Names(ADDRESSES, ["h3", "h2"])
        self.assertEqual(status_and_data(told.answer(query("a.test", HTTPS))), (0, [record]))

    def test_every_other_name_does_not_exist(self):
        names = Names(ADDRESSES, ["h3", "h2"])
        for kind in (A, HTTPS):
            self.assertEqual(status_and_data(names.answer(query("b.a.test", kind))), (NO_SUCH_NAME, []))

    def test_what_was_asked_is_told_with_how_much_was_answered(self):
        names = Names(ADDRESSES)
        names.answer(query("a.test", A))
        names.answer(query("other.test", HTTPS))
        self.assertEqual(
            names.queries,
            [{"name": "a.test", "type": A, "records": 1}, {"name": "other.test", "type": HTTPS, "records": 0}],
        )

    def test_what_is_no_question_gets_no_answer(self):
        whole = query("a.test", A)
        answer = query("a.test", A, flags=0x8180)
        for message in (b"", whole[:11], whole[:15], whole[:20], answer, query("a.test", A, questions=2)):
            self.assertIsNone(read_question(message))
            self.assertIsNone(Names(ADDRESSES).answer(message))
        self.assertIsNone(read_question(whole[:12] + b"\xc0\x0c" + whole[14:]))


if __name__ == "__main__":
    unittest.main()
