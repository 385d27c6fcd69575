"""Reads the properties of one end of the path from the system: a live connection, its device, its settings."""

import ctypes
import fcntl
import socket
import struct
from pathlib import Path

SIOCETHTOOL = 0x8946
ETHTOOL_GFEATURES = 0x3A
ETHTOOL_GSTRINGS = 0x1B
ETHTOOL_GSSET_INFO = 0x37
ETH_SS_FEATURES = 4
NAME_BYTES = 32
# Features that change what is sent or who computes it; a device has some 60 in all.
FEATURES = (
    "tx-tcp-segmentation",
    "tx-tcp6-segmentation",
    "tx-udp-segmentation",
    "tx-generic-segmentation",
    "rx-gro",
    "rx-lro",
    "rx-udp-gro-forwarding",
    "tx-checksum-ip-generic",
    "tx-checksum-ipv4",
    "rx-checksum",
)
SETTINGS = (
    "net/ipv4/tcp_slow_start_after_idle",
    "net/ipv4/tcp_no_metrics_save",
    "net/ipv4/tcp_ecn",
    "net/ipv4/tcp_rmem",
    "net/ipv4/tcp_wmem",
    "net/ipv4/tcp_congestion_control",
    "net/core/rmem_default",
    "net/core/rmem_max",
    "net/core/wmem_default",
    "net/core/wmem_max",
)

# Offsets in the kernel's struct tcp_info (include/uapi/linux/tcp.h), which only ever grows at its end.
TCP_INFO_U32 = {"sndMss": 16, "rcvMss": 20, "pathMtu": 60, "sndCwnd": 80, "advertisedMss": 84}


def connection_facts(connection):
    """Facts about a live TCP socket; right after the connect the congestion window is the initial one."""
    info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
    name = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, 16)
    return {
        "congestionControl": name.rstrip(b"\0").decode(),
        **{field: struct.unpack_from("=I", info, at)[0] for field, at in TCP_INFO_U32.items()},
        "sendBufferBytes": connection.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF),
        "receiveBufferBytes": connection.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF),
    }


def namespace_facts(device):
    settings = {name: setting(name) for name in SETTINGS}
    ipv6 = f"net/ipv6/conf/{device}/disable_ipv6"
    return {
        # A kernel without IPv6 has no such file.
        "settings": {**settings, "disable_ipv6": setting(ipv6)},
        "features": features(device),
        "udp": udp_facts(),
    }


def setting(name):
    """The value of a setting in this namespace; None: the namespace has no such setting."""
    try:
        return " ".join(Path("/proc/sys", name).read_text().split())
    except OSError:
        return None


def udp_facts():
    """Buffer sizes of a UDP socket without options."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        return {
            "receiveBufferBytes": udp.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF),
            "sendBufferBytes": udp.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF),
        }


def features(device):
    """Offloads of the device by their names in `ethtool -k`; None: the device does not report them."""
    try:
        names = feature_names(device)
        blocks = (len(names) + 31) // 32
        # struct ethtool_gfeatures: command, number of blocks; each block: available, requested, active, never changed.
        answer = ethtool(device, struct.pack("=II", ETHTOOL_GFEATURES, blocks) + bytes(16 * blocks))
    except OSError:
        return None
    words = struct.unpack_from(f"={4 * blocks}I", answer, 8)
    active = {
        name: bool(words[4 * (number // 32) + 2] >> (number % 32) & 1)
        for number, name in enumerate(names)
    }
    return {name: active[name] for name in FEATURES if name in active}


def feature_names(device):
    # struct ethtool_sset_info: command, reserved, mask of sets, sizes of those sets.
    request = struct.pack("=IIQI", ETHTOOL_GSSET_INFO, 0, 1 << ETH_SS_FEATURES, 0)
    count = struct.unpack_from("=I", ethtool(device, request), 16)[0]
    # struct ethtool_gstrings: command, set, length, names.
    request = struct.pack("=III", ETHTOOL_GSTRINGS, ETH_SS_FEATURES, count) + bytes(NAME_BYTES * count)
    text = ethtool(device, request)[12:]
    return [
        text[at : at + NAME_BYTES].rstrip(b"\0").decode()
        for at in range(0, NAME_BYTES * count, NAME_BYTES)
    ]


def ethtool(device, question):
    """Sends an ethtool request without the program ethtool, which not every machine has."""
    buffer = ctypes.create_string_buffer(question, len(question))
    request = struct.pack("16sP16x", device.encode(), ctypes.addressof(buffer))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, SIOCETHTOOL, request)
    return buffer.raw
