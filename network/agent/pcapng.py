"""Blocks of a pcapng file that has one interface, with Ethernet frames and times in ns."""

import struct

INBOUND = 1
OUTBOUND = 2

_PACKET = 6
_STATISTICS = 5
_COMMENT = 1
_PACKET_FLAGS = 2
_RECEIVED = 4
_DROPPED = 5

# type, length, interface, time (high, low), bytes kept, bytes there were
_PACKET_HEAD = struct.Struct("<7I")
_STATISTICS_HEAD = struct.Struct("<5I")
_LENGTH = struct.Struct("<I")
_OPTION = struct.Struct("<HH")
_END_OF_OPTIONS = _OPTION.pack(0, 0)

_CLIENT = b"\x02\x00\x00\x00\x00\x01"
_SERVER = b"\x02\x00\x00\x00\x00\x02"
_IPV4 = b"\x08\x00"
# A qdisc counts this header too, though the path has no Ethernet: receiver, sender, type.
_ETHERNET = {INBOUND: _CLIENT + _SERVER + _IPV4, OUTBOUND: _SERVER + _CLIENT + _IPV4}
_FLAGS = {direction: _OPTION.pack(_PACKET_FLAGS, 4) + _LENGTH.pack(direction) for direction in (INBOUND, OUTBOUND)}


def packet_block(time_ns, direction, ip_packet, comments):
    """An enhanced packet block; `direction` is the client's: INBOUND or OUTBOUND."""
    frame = _ETHERNET[direction] + ip_packet
    size = len(frame)
    options = _FLAGS[direction] + b"".join(_option(_COMMENT, text.encode()) for text in comments) + _END_OF_OPTIONS
    padding = bytes(-size % 4)
    total = _PACKET_HEAD.size + size + len(padding) + len(options) + _LENGTH.size
    head = _PACKET_HEAD.pack(_PACKET, total, 0, time_ns >> 32, time_ns & 0xFFFFFFFF, size, size)
    return b"".join((head, frame, padding, options, _LENGTH.pack(total)))


def statistics_block(time_ns, received, missed):
    """An interface statistics block: the number of packets, and how many of them were missed."""
    counts = ((_RECEIVED, received), (_DROPPED, missed))
    options = b"".join(_option(code, struct.pack("<Q", count)) for code, count in counts)
    if missed:
        options += _option(_COMMENT, f"{missed} packets found no room and are missing.".encode())
    options += _END_OF_OPTIONS
    total = _STATISTICS_HEAD.size + len(options) + _LENGTH.size
    head = _STATISTICS_HEAD.pack(_STATISTICS, total, 0, time_ns >> 32, time_ns & 0xFFFFFFFF)
    return head + options + _LENGTH.pack(total)


def _option(code, value):
    return _OPTION.pack(code, len(value)) + value + bytes(-len(value) % 4)
