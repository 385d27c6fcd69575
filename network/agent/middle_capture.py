"""Captures a load's packets in the kernel, in the namespace between the two ends."""

import collections

import capture
import filters
import tap

# Per device: some 30 MB of packets of 1500 bytes.
_RING_BYTES = 64 * 1024 * 1024
# The kernel's header in each frame; packets are not truncated.
_OF_KERNEL_BYTES = 80


class MiddleCapture:
    """Compares packets that enter and leave: a packet that entered and never left is lost.

    The kernel does not report whether loss or a full queue dropped it. `clients` selects the load's packets.
    """

    def __init__(self, namespace, to_server, to_client, longest_packet_bytes, clients):
        frame_bytes = 1 << (longest_packet_bytes + _OF_KERNEL_BYTES - 1).bit_length()
        self._devices = [
            (device, tap.Tap(namespace, name, filters.ALL, _RING_BYTES // frame_bytes, frame_bytes))
            for device, name in (("server", to_server), ("client", to_client))
        ]
        self._clients = clients
        self._capture = capture.Capture()
        self._captures = False
        self._was_counted = False
        self._number = 0
        self._forget()

    def begin(self, keeps_connections, captures):
        """Begins a load; packets in flight never arrive, because the queues are recreated."""
        self._take()
        if keeps_connections:
            self._lose_pending()
        else:
            self._forget()
        self._capture.begin(keeps_connections)
        self._captures = captures
        self._was_counted = False

    def end(self):
        """Ends the capture: only the packets so far are written."""
        self._take()
        self._was_counted = True

    def answer(self, file, first):
        """Writes a part, and answers as a Capture does."""
        if first == 0:
            self._take(ends=self._was_counted)
            self._lose_pending()
            self._capture.end()
        return self._capture.answer(file, first)

    def _forget(self):
        # For each end: the unchanged part of its packets, mapped to their numbers and the packets as they entered.
        self._pending = {end: collections.defaultdict(collections.deque) for end in ("client", "server")}

    def _take(self, ends=False):
        """Processes new packets. `ends`: the load has ended, only the fates of earlier packets matter."""
        taken = [(packet, device) for device, packets in self._devices for packet in packets.take()]
        self._capture.missed += sum(packets.missed() for _, packets in self._devices)
        for packet, device in sorted(taken, key=lambda each: each[0].time_ns):
            self._see(packet, device, ends)

    def _see(self, packet, device, ends):
        # A packet that leaves for one end came from the other end.
        origin = device if not packet.outgoing else "client" if device == "server" else "server"
        owns = self._clients.owns_sent if origin == "client" else self._clients.owns_received
        if not owns(packet.data) or not self._captures:
            return
        keep = self._capture.sent if origin == "client" else self._capture.received
        waiting = self._pending[origin][_lasting(packet.data)]
        if not packet.outgoing:
            if not ends:
                self._number += 1
                waiting.append((self._number, packet))
            return
        number, entered = waiting.popleft() if waiting else (self._number, packet)
        if not ends:
            keep(entered.time_ns, packet.time_ns, number, packet.data)
        elif origin == "client" and entered is not packet:
            keep(entered.time_ns, packet.time_ns, number, packet.data, capture.ON_ITS_WAY)

    def _lose_pending(self):
        for origin, keep in (("client", self._capture.sent), ("server", self._capture.received)):
            for waiting in self._pending[origin].values():
                for number, packet in waiting:
                    keep(packet.time_ns, packet.time_ns, number, packet.data, capture.LOST_OR_DROPPED)
        self._forget()


def _lasting(ip_packet):
    """The bytes that a router keeps: all but the time to live and the checksum of the header."""
    return ip_packet[:8] + ip_packet[9:10] + ip_packet[12:]
