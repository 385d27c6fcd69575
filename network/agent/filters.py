"""BPF programs that select packets for a tap (classic BPF; packets begin with their IP header)."""

import struct

# Longer than any packet.
_WHOLE = 0x40000

# Metadata that the kernel provides for a packet.
_ANCILLARY = 0xFFFFF000
_ETHERTYPE = _ANCILLARY + 0
_PACKET_TYPE = _ANCILLARY + 4
PACKET_OUTGOING = 4

_BYTE_AT = 0x30
_HALF_AT = 0x28
_BYTE_AT_X = 0x50
_HALF_AT_X = 0x48
# X becomes the length of the IP header.
_SKIP_IP_HEADER = 0xB1
_AND = 0x54
_SHIFT_RIGHT = 0x74
_ADD_X = 0x0C
_SUBTRACT_X = 0x1C
_TO_X = 0x07
_RETURN = 0x06
_IF_EQUAL = 0x15
_IF_ANY_BIT = 0x45
_IF_AT_LEAST = 0x35


def _assemble(lines):
    """Assembles lines: a text is a label; an instruction may end with its jump targets, true and false."""
    places = {}
    instructions = []
    for line in lines:
        if isinstance(line, str):
            places[line] = len(instructions)
        else:
            instructions.append(line)
    program = []
    for at, (code, value, *jumps) in enumerate(instructions):
        steps = [places[label] - at - 1 if label else 0 for label in jumps] or [0, 0]
        program.append(struct.pack("HBBI", code, *steps, value))
    return b"".join(program)


_SENT = [(_HALF_AT, _PACKET_TYPE), (_IF_EQUAL, PACKET_OUTGOING, "", "drop")]
_RECEIVED = [(_HALF_AT, _PACKET_TYPE), (_IF_EQUAL, PACKET_OUTGOING, "drop", "")]
_OF_IP = [(_HALF_AT, _ETHERTYPE), (_IF_EQUAL, 0x0800, "", "drop")]

# Puts the offset of the transport header into X, and the protocol into the accumulator; drops later fragments.
_TO_TRANSPORT = [
    *_OF_IP,
    (_HALF_AT, 6),
    (_IF_ANY_BIT, 0x1FFF, "drop", ""),
    (_SKIP_IP_HEADER, 0),
    (_BYTE_AT, 9),
]


def _to_payload(few, without="drop"):
    """Moves X from TCP's header to its payload; jumps to `without` if that is empty, and to `few` below 3 bytes."""
    return [
        (_BYTE_AT_X, 12),
        (_AND, 0xF0),
        (_SHIFT_RIGHT, 2),
        (_ADD_X, 0),
        (_TO_X, 0),
        (_HALF_AT, 2),
        (_SUBTRACT_X, 0),
        (_IF_EQUAL, 0, without, ""),
        (_IF_AT_LEAST, 3, "", few),
    ]


_ENDS = ["keep", (_RETURN, _WHOLE), "drop", (_RETURN, 0)]

# First packets of connections, whole: QUIC packets with a long header, the client's SYN, and later segments that
# begin with a TLS handshake record.
HANDSHAKES = _assemble(
    [
        *_TO_TRANSPORT,
        (_IF_EQUAL, 6, "tcp", ""),
        (_IF_EQUAL, 17, "", "drop"),
        (_BYTE_AT_X, 8),
        (_IF_ANY_BIT, 0x80, "keep", "drop"),
        "tcp",
        (_BYTE_AT_X, 13),
        (_AND, 0x12),
        (_IF_EQUAL, 0x02, "keep", ""),
        *_to_payload(few="keep"),
        (_HALF_AT_X, 0),
        (_IF_EQUAL, 0x1603, "keep", ""),
        *_RECEIVED,
        (_HALF_AT_X, 0),
        (_IF_EQUAL, 0x1403, "keep", "drop"),
        *_ENDS,
    ]
)

# Segments of the client that begin without a record: its hello takes two segments, and the second may begin
# with anything. Most segments of an upload are alike.
CONTINUATIONS = _assemble(
    [
        *_TO_TRANSPORT,
        (_IF_EQUAL, 6, "", "drop"),
        *_SENT,
        (_BYTE_AT_X, 13),
        (_IF_ANY_BIT, 0x02, "drop", ""),
        *_to_payload(few="drop"),
        (_HALF_AT_X, 0),
        (_IF_EQUAL, 0x1603, "drop", ""),
        (_BYTE_AT_X, 2),
        (_IF_EQUAL, 0x03, "", "keep"),
        (_HALF_AT_X, 0),
        (_IF_EQUAL, 0x1703, "drop", ""),
        (_IF_EQUAL, 0x1403, "drop", "keep"),
        *_ENDS,
    ]
)


def _of_udp(direction):
    """Packets of QUIC after its handshake in a direction: they have a short header."""
    return _assemble(
        [
            *_TO_TRANSPORT,
            (_IF_EQUAL, 17, "", "drop"),
            *direction,
            (_BYTE_AT_X, 8),
            (_IF_ANY_BIT, 0x80, "drop", "keep"),
            *_ENDS,
        ]
    )


QUIC_SENT = _of_udp(_SENT)
QUIC_RECEIVED = _of_udp(_RECEIVED)

# Segments with data that arrive.
DATA_RECEIVED = _assemble(
    [*_TO_TRANSPORT, (_IF_EQUAL, 6, "", "drop"), *_RECEIVED, *_to_payload(few="keep"), *_ENDS]
)

# Segments that leave with nothing but an acknowledgement.
ACKNOWLEDGEMENTS = _assemble(
    [
        *_TO_TRANSPORT,
        (_IF_EQUAL, 6, "", "drop"),
        *_SENT,
        (_BYTE_AT_X, 13),
        # ACK, without SYN, FIN and RST.
        (_AND, 0x17),
        (_IF_EQUAL, 0x10, "", "drop"),
        *_to_payload(few="drop", without="keep"),
        (_RETURN, 0),
        *_ENDS,
    ]
)

# All IP packets that enter or leave a device.
ALL = _assemble([*_OF_IP, *_ENDS])

# IP packets that leave a device.
LEAVING = _assemble([*_OF_IP, *_SENT, *_ENDS])
