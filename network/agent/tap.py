"""Taps: packets of a namespace as the kernel saw them, kept in a ring until they are read, without wake-ups."""

import ctypes
import mmap
import os
import socket
import struct
from typing import NamedTuple

import filters
import namespaces

_SO_ATTACH_FILTER = 26
_SOL_PACKET = 263
_PACKET_RX_RING = 5
_PACKET_STATISTICS = 6
_PACKET_VERSION = 10
_TPACKET_V2 = 1
_ETH_P_ALL = 3
_BLOCK_BYTES = 65536
# status, length, length kept, where the Ethernet and the IP header begin, seconds, nanoseconds
_FRAME = struct.Struct("IIIHHII")
# Offset in the address, which follows.
_TYPE_AT = 32 + 10
_OF_KERNEL = struct.Struct("I").pack(0)


class Packet(NamedTuple):
    time_ns: int
    # Sent by the tap's own namespace.
    outgoing: bool
    # On the device, without a link layer's header.
    length_bytes: int
    # From the IP header on, possibly truncated.
    data: bytes


class Tap:
    """Keeps packets in a ring of frames, one packet per frame, truncated to fit; a full ring misses packets.

    `namespace` is an open /proc/PID/ns/net, `device` a name in it, `wanted` one of the filters. The bytes of
    a frame are a power of two; 80 of them are the kernel's.
    """

    def __init__(self, namespace, device, wanted, frames, frame_bytes):
        self._frame_bytes = frame_bytes
        self._frames = frames
        self._next = 0
        # Opened by a child: a process in a user namespace cannot return from another network namespace.
        self._socket = _opened_in(namespace, lambda: self._open(device, wanted))
        self._ring = mmap.mmap(self._socket.fileno(), frames * frame_bytes)

    def take(self):
        """The packets since the last call, in the kernel's order."""
        # At most once around: packets may arrive meanwhile.
        for _ in range(self._frames):
            at = self._next * self._frame_bytes
            status, length, kept, _, start, seconds, nanoseconds = _FRAME.unpack_from(self._ring, at)
            if status == 0:
                return
            yield Packet(
                seconds * 1_000_000_000 + nanoseconds,
                self._ring[at + _TYPE_AT] == filters.PACKET_OUTGOING,
                length,
                self._ring[at + start : at + start + kept],
            )
            self._ring[at : at + len(_OF_KERNEL)] = _OF_KERNEL
            self._next = (self._next + 1) % self._frames

    def missed(self):
        """The number of packets missed since the last call of this or of counts()."""
        return self.counts()[1]

    def counts(self):
        """The number of packets since the last call, and of those missed among them."""
        return struct.unpack("II", self._socket.getsockopt(_SOL_PACKET, _PACKET_STATISTICS, 8))

    def _open(self, device, wanted):
        # With protocol 0 no packet arrives before the filter is set.
        tap = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, 0)
        program = ctypes.create_string_buffer(wanted, len(wanted))
        pointer = struct.pack("HP", len(wanted) // 8, ctypes.addressof(program))
        tap.setsockopt(socket.SOL_SOCKET, _SO_ATTACH_FILTER, pointer)
        tap.setsockopt(_SOL_PACKET, _PACKET_VERSION, _TPACKET_V2)
        block_bytes = max(_BLOCK_BYTES, self._frame_bytes)
        blocks = self._frames * self._frame_bytes // block_bytes
        ring = struct.pack("IIII", block_bytes, blocks, self._frame_bytes, self._frames)
        tap.setsockopt(_SOL_PACKET, _PACKET_RX_RING, ring)
        tap.bind((device, _ETH_P_ALL))
        return tap


def _opened_in(namespace, open_socket):
    """A socket that a child opens in a network namespace."""
    parent = os.getpid()
    ours, theirs = socket.socketpair()
    child = os.fork()
    if child == 0:
        try:
            namespaces.die_with(parent)
            namespaces.enter_network_namespace(namespace)
            with open_socket() as opened:
                socket.send_fds(theirs, [b"0"], [opened.fileno()])
        except OSError as error:
            theirs.sendall(str(error.errno).encode())
        finally:
            os._exit(0)
    theirs.close()
    with ours:
        answer, files, _, _ = socket.recv_fds(ours, 16, 1)
    os.waitpid(child, 0)
    if not files:
        raise namespaces.NotAllowed(
            f"packets on the path cannot be seen: {os.strerror(int(answer or b'5'))}",
            "in a container give it the capability (docker run --cap-add NET_RAW), or use a kernel with packet "
            "sockets (CONFIG_PACKET)",
        )
    return socket.socket(fileno=files[0])
