"""Keeps a load's packets in memory, and writes them as blocks of a pcapng file."""

import bisect
import operator
import socket
import time

import pcapng

# Memory for all packets of a load, with Python's overhead; later packets are missed.
MOST_BYTES = 256 * 1024 * 1024
_BESIDE_BYTES = 200
# Limits the time of one answer, because other requests wait meanwhile.
_WRITE_NS = 1_000_000_000

# Fates of packets that are not counted.
LOST = "lost on the path"
DROPPED = "dropped: the queue was full"
UDP_DROPPED = "dropped: UDP does not get through"
FORGOTTEN = "dropped: the client has this port or address no more"
CUT = "lost: the path was cut"
LOST_OR_DROPPED = f"{LOST}, or {DROPPED}"
ON_ITS_WAY = "on its way when the attempt ended"
# A packet of the load's connections from before it began.
EARLIER = "before the attempt"

# An entry: time of observation, number in its direction, direction, packet, fate (None: it arrived), and the client's
# port and address as servers see them (None: unchanged).
_place_of = operator.itemgetter(0, 1)


class Capture:
    """Keeps packets with the times of the client's end. `ip_packet_of` converts its input into an IP packet."""

    def __init__(self, ip_packet_of=bytes, most_bytes=MOST_BYTES):
        self._ip_packet_of = ip_packet_of
        self._most_bytes = most_bytes
        self.begin(False)

    def begin(self, keeps_connections, clock_offset_ns=0):
        """Forgets its packets, unless connections are kept. Times plus `clock_offset_ns` are ns since 1970."""
        if not keeps_connections:
            self._kept = []
            self._room = self._most_bytes
            self.missed = 0
        self._clock_offset_ns = clock_offset_ns
        self._earlier = len(self._kept)
        self._end = None
        self._sorted = None

    def sent(self, arrived, _left, number, packet, fate=None, seen=None):
        """Adds a packet of the client, observed as it enters the path."""
        self._keep((arrived, number, pcapng.OUTBOUND, packet, fate, seen))

    def received(self, _arrived, left, number, packet, fate=None, seen=None):
        """Adds a packet of a server, observed as it leaves the path, or would have left it."""
        self._keep((left, number, pcapng.INBOUND, packet, fate, seen))

    def end(self):
        """Ends the capture: only the packets so far are written."""
        self._end = len(self._kept)
        self._sorted = None

    def answer(self, file, first):
        """Writes a part as write() does; answers with its result and the number of packets missed, or with the error."""
        try:
            return {"status": 0, "next": self.write(file, first), "missed": self.missed}
        except OSError as error:
            return {"status": 1, "stderr": str(error)}

    def write(self, file, first):
        """Appends packets from position `first` on, for a second; returns the next position, or None at the end."""
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
    """The packets, with a server's undelivered ones between its delivered neighbours.

    Keeps streams without gaps: the departure of an undelivered packet is known less exactly.
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
    """Comment for a packet of a client whose port or address has changed outside."""
    return f"servers see {socket.inet_ntoa(address)}:{port}"


def clock_offset_ns():
    """The ns to add to the monotonic clock, for ns since 1970."""
    return time.time_ns() - time.monotonic_ns()
