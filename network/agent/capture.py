"""A load's packets: kept in memory while it goes on, and written as blocks of a pcapng file when somebody asks."""

import bisect
import operator
import socket
import time

import pcapng

# Of all packets of a load, with what Python has beside their bytes; those beyond are missed.
MOST_BYTES = 256 * 1024 * 1024
_BESIDE_BYTES = 200
# So long at a time, because nobody else is answered meanwhile.
_WRITE_NS = 1_000_000_000

# What became of packets that are not counted.
LOST = "lost on the path"
DROPPED = "dropped: the queue was full"
UDP_DROPPED = "dropped: UDP does not get through"
FORGOTTEN = "dropped: the client has this port or address no more"
CUT = "lost: the path was cut"
LOST_OR_DROPPED = f"{LOST}, or {DROPPED}"
ON_ITS_WAY = "on its way when the attempt ended"
# Of those that a load's connections had before it began.
EARLIER = "before the attempt"

# What is kept of a packet: when it was seen, its number in its direction, that direction, itself, what became of it
# (None: it arrived), and where servers see the client by then (None: where the packet has it).
_place_of = operator.itemgetter(0, 1)


class Capture:
    """Keeps packets with the times of the client's end. `ip_packet_of` makes an IP packet of what it is given."""

    def __init__(self, ip_packet_of=bytes, most_bytes=MOST_BYTES):
        self._ip_packet_of = ip_packet_of
        self._most_bytes = most_bytes
        self.begin(False)

    def begin(self, keeps_connections, clock_offset_ns=0):
        """Forgets what it has, unless its connections are kept. Times given plus `clock_offset_ns` are ns since 1970."""
        if not keeps_connections:
            self._kept = []
            self._room = self._most_bytes
            self.missed = 0
        self._clock_offset_ns = clock_offset_ns
        self._earlier = len(self._kept)
        self._end = None
        self._sorted = None

    def sent(self, arrived, _left, number, packet, fate=None, seen=None):
        """Takes a packet of the client, which is seen as it enters the path."""
        self._keep((arrived, number, pcapng.OUTBOUND, packet, fate, seen))

    def received(self, _arrived, left, number, packet, fate=None, seen=None):
        """Takes a packet of a server, which is seen as it leaves the path, or would have left it."""
        self._keep((left, number, pcapng.INBOUND, packet, fate, seen))

    def end(self):
        """Has the packets so far written, and no later ones."""
        self._end = len(self._kept)
        self._sorted = None

    def answer(self, file, first):
        """Writes it, and says which packet comes next, None when all are written, and how many were missed; or what failed."""
        try:
            return {"status": 0, "next": self.write(file, first), "missed": self.missed}
        except OSError as error:
            return {"status": 1, "stderr": str(error)}

    def write(self, file, first):
        """Appends blocks to a file from the packet of that place on, for a second; returns the place to go on from, or None."""
        if self._sorted is None:
            earlier = [(*kept, EARLIER) for kept in self._kept[: self._earlier]]
            own = self._kept[self._earlier : self._end]
            self._sorted = sorted(_in_sequence(earlier + own), key=_place_of)
        until = time.monotonic_ns() + _WRITE_NS
        with open(file, "ab") as target:
            for number in range(first, len(self._sorted)):
                moment, _, direction, packet, *comments = self._sorted[number]
                if time.monotonic_ns() > until:
                    return number
                at = moment + self._clock_offset_ns
                said = [comment for comment in comments if comment]
                target.write(pcapng.packet_block(at, direction, self._ip_packet_of(packet), said))
            received = len(self._sorted) + self.missed
            target.write(pcapng.statistics_block(time.time_ns(), received, self.missed))
        return None

    def _keep(self, entry):
        self._room -= len(entry[3]) + _BESIDE_BYTES
        if self._room < 0:
            self.missed += 1
        else:
            self._kept.append(entry)


def _in_sequence(kept):
    """The same with what a server sent in vain between what it sent before and after it.

    So that readers find streams without gaps. When such a packet would have left is known less exactly than when others did.
    """
    arrived = sorted(
        (number, left)
        for left, number, direction, _, fate, *_ in kept
        if direction == pcapng.INBOUND and not fate
    )
    for entry in kept:
        moment, number, direction, _, fate, *_ = entry
        if direction == pcapng.INBOUND and fate:
            place = bisect.bisect(arrived, (number,))
            if place > 0:
                moment = max(moment, arrived[place - 1][1])
            if place < len(arrived):
                moment = min(moment, arrived[place][1])
            entry = (moment, *entry[1:])
        yield entry


def seen_by_servers(address, port):
    """Of a client that has another port, or address, outside."""
    return f"servers see {socket.inet_ntoa(address)}:{port}"


def clock_offset_ns():
    """What makes ns since 1970 of the monotonic clock's."""
    return time.time_ns() - time.monotonic_ns()
