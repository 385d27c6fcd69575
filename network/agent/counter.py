"""Counts a load's packets in the kernel, without a program that carries them."""

import filters
import middle_capture
import ports
import tap

# 16 MB per direction; a frame holds only headers.
_FRAMES = 131_072
_FRAME_BYTES = 128
# A qdisc counts this header too.
_ETHERNET_HEADER_BYTES = 14


class Counter:
    """Counts and optionally captures packets that leave the two devices of the namespace `middle`, after their queues."""

    def __init__(self, namespace, to_server, to_client, longest_packet_bytes):
        clients = ports.ClientPorts()
        self._clients = clients
        self._open_capture = lambda: middle_capture.MiddleCapture(
            namespace, to_server, to_client, longest_packet_bytes, clients
        )
        # Opened by the first load with a capture.
        self._capture = None
        self._directions = [
            _Direction("toServer", _open_tap(namespace, to_server), clients.owns_sent),
            _Direction("toClient", _open_tap(namespace, to_client), clients.owns_received),
        ]

    def begin_load(self, keeps_connections, captures):
        """Resets the counts, and excludes connections from before, unless they are kept."""
        for direction in self._directions:
            direction.catch_up()
        if captures and self._capture is None:
            self._capture = self._open_capture()
        if self._capture:
            self._capture.begin(keeps_connections, captures)
        self._clients.begin_load(keeps_connections)
        for direction in self._directions:
            direction.reset()

    def counts(self):
        """Counts of both directions, and the number of packets missed."""
        for direction in self._directions:
            direction.catch_up()
        if self._capture:
            self._capture.end()
        missed = sum(direction.missed for direction in self._directions)
        return {**{direction.name: direction.counts() for direction in self._directions}, "missed": missed}


    def write_capture(self, file, first):
        """Appends the counted packets to a file, as a Capture does."""
        if self._capture is None:
            raise ValueError("no load was captured")
        return self._capture.answer(file, first)


class _Direction:
    def __init__(self, name, packets, owns):
        self.name = name
        self._tap = packets
        self._owns = owns
        self.reset()

    def reset(self):
        self._packets = 0
        self._bytes = 0
        self.missed = 0

    def catch_up(self):
        for packet in self._tap.take():
            if self._owns(packet.data):
                self._packets += 1
                self._bytes += packet.length_bytes + _ETHERNET_HEADER_BYTES
        self.missed += self._tap.missed()

    def counts(self):
        return {"packets": self._packets, "bytes": self._bytes}


def _open_tap(namespace, device):
    return tap.Tap(namespace, device, filters.LEAVING, _FRAMES, _FRAME_BYTES)
