"""Counts how often a client acknowledges: packets that it sends and receives, by transport."""

import filters
import tap

_FRAME_BYTES = 128
# 2 MB, for a download of some 40 MB: the windows of later acknowledgements are missed, not their number.
_ACKNOWLEDGEMENT_FRAMES = 16384
# The least: the kernel counts packets that do not fit, too.
_COUNTED_FRAMES = 512
# Offset in TCP's header.
_WINDOW_AT = 14


class Acknowledgements:
    """Counts at a device; `namespace` is an open /proc/PID/ns/net."""

    def __init__(self, namespace, device):
        self._sent = tap.Tap(
            namespace, device, filters.ACKNOWLEDGEMENTS, _ACKNOWLEDGEMENT_FRAMES, _FRAME_BYTES
        )
        self._data, self._quic_sent, self._quic_received = (
            tap.Tap(namespace, device, wanted, _COUNTED_FRAMES, _FRAME_BYTES)
            for wanted in (filters.DATA_RECEIVED, filters.QUIC_SENT, filters.QUIC_RECEIVED)
        )

    def take(self):
        """The counts since the last call; the largest window is not scaled, and None if it may be missed."""
        largest_window = max((_window_of(packet.data) for packet in self._sent.take()), default=0)
        acknowledgements, missed = self._sent.counts()
        return {
            "tcp": {
                "acknowledgements": acknowledgements,
                "dataPackets": self._data.counts()[0],
                "largestWindow": None if missed else largest_window,
            },
            "quic": {
                "sentPackets": self._quic_sent.counts()[0],
                "receivedPackets": self._quic_received.counts()[0],
            },
        }


def _window_of(packet):
    at = (packet[0] & 15) * 4 + _WINDOW_AT
    return int.from_bytes(packet[at : at + 2], "big")
