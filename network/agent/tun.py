"""TUN devices: network devices whose other end is a file of ours."""

import errno
import fcntl
import os
import struct

import namespaces

# Precedes every packet: the state of its checksum and the length of its segments. Passed on unchanged.
HEADER_BYTES = 10

_NEEDS_CHECKSUM = 1
# Offset of the checksummed bytes, and of the checksum in them.
_CHECKSUM_PLACE = struct.Struct("=6xHH")

_DEVICE = "/dev/net/tun"
_TUNSETIFF = 0x400454CA
_TUNSETOFFLOAD = 0x400454D0
_IFF_TUN = 0x0001
_IFF_NO_PI = 0x1000
_IFF_VNET_HDR = 0x4000
_TUN_F_CSUM = 0x01
_TUN_F_TSO4 = 0x02
# Over IPv4 and IPv6: the kernel accepts both or neither (Linux 6.2).
_TUN_F_USO = 0x20 | 0x40


def open_device(name, segmentation):
    """Makes a TUN device in this process's network namespace; it lives as long as the file returned.

    `segmentation`: the kernel may hand over packets of several segments.
    """
    try:
        device = os.open(_DEVICE, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise namespaces.NotAllowed(
            f"{_DEVICE} cannot be opened by uid {os.getuid()}: {error.strerror}", _remedy(error.errno)
        ) from error
    flags = _IFF_TUN | _IFF_NO_PI | _IFF_VNET_HDR
    try:
        fcntl.ioctl(device, _TUNSETIFF, struct.pack("16sH22x", name.encode(), flags))
    except OSError as error:
        raise namespaces.NotAllowed(
            f"a TUN device could not be made: {error.strerror}",
            "in a container give it the capability (docker run --cap-add NET_ADMIN), or run as root",
        ) from error
    # Without it kernels before 6.11 refuse to send groups of UDP packets (EIO), as QUIC does.
    # Without segmentation a packet is at most as long as the MTU.
    if not segmentation:
        fcntl.ioctl(device, _TUNSETOFFLOAD, _TUN_F_CSUM)
        return device
    try:
        fcntl.ioctl(device, _TUNSETOFFLOAD, _TUN_F_CSUM | _TUN_F_TSO4 | _TUN_F_USO)
    except OSError:
        # Older kernels support it for TCP alone.
        fcntl.ioctl(device, _TUNSETOFFLOAD, _TUN_F_CSUM | _TUN_F_TSO4)
    return device


def ip_packet_of(packet):
    """The IP packet behind the header, with its checksum completed."""
    ip = bytes(packet[HEADER_BYTES:])
    if not packet[0] & _NEEDS_CHECKSUM:
        return ip
    start, place = _CHECKSUM_PLACE.unpack_from(packet)
    covered = ip[start:]
    # A 16-bit sum with its carries is a remainder by 65535; the sum of the addresses is already there.
    total = int.from_bytes(covered + bytes(len(covered) % 2), "big") % 0xFFFF
    return ip[: start + place] + (0xFFFF - total).to_bytes(2, "big") + covered[place + 2 :]


def _remedy(number):
    if number in (errno.EACCES, errno.EPERM):
        return (
            f"let ordinary users open it, as most systems do (sudo chmod 666 {_DEVICE}); it gives no "
            "rights outside of their own namespaces"
        )
    return f"load it (sudo modprobe tun), or hand it to the container (docker run --device {_DEVICE})"
