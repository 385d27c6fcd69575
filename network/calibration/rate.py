"""Measures the rate of one direction: sends more than fits, and times what arrives at the other end."""

import itertools
import json
import os
import select
import socket
import statistics
import struct
import time
import typing

from control import ProbeError

# Enough for the limit to have an effect, too little for anything else to limit the rate.
OVERLOAD = 1.5
DURATION_S = 0.3
# Fewest packets: on a slow link 300 ms would hold only a handful, so packets are made smaller.
LEAST_PACKETS = 40
# Headers of Ethernet, IP and UDP: links and queueing disciplines count all of them.
HEADER_BYTES = 42
ETHERNET_BYTES = 14
FULL_BYTES = 1514
LEAST_BYTES = 300
# First byte of a datagram that is counted, not answered.
COUNTED = b"C"
# A gap that exceeds the usual one by more is a pause: a machine that is not late wakes the link up well within it.
PAUSE_NS = 1_000_000
# The end of a flow; the answer over TCP follows through the same queue.
QUIET_S = 0.1
RECEIVE_TIMEOUT_S = 20.0

SO_TIMESTAMPNS = 35  # not in Python's socket module
SO_RCVBUFFORCE = 33
TIMESPEC = struct.Struct("@ll")


def udp_socket(address):
    """A socket whose packets the kernel stamps at arrival, so that a late reader does not change the rate."""
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.bind((address, 0))
    udp.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
    try:
        udp.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 8 << 20)
    except PermissionError:
        udp.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 20)
    return udp


def receive(udp):
    """A datagram, its arrival time in ns of the wall clock, and its sender."""
    data, ancillary, _, sender = udp.recvmsg(2048, socket.CMSG_SPACE(TIMESPEC.size))
    for level, kind, value in ancillary:
        if level == socket.SOL_SOCKET and kind == SO_TIMESTAMPNS:
            seconds, nanoseconds = TIMESPEC.unpack(value[: TIMESPEC.size])
            return data, seconds * 1_000_000_000 + nanoseconds, sender
    return data, time.time_ns(), sender


def bytes_on_link(data):
    return len(data) + HEADER_BYTES


class Flow(typing.NamedTuple):
    """The packets that measure a rate."""

    head: int  # packets sent in a burst first, not measured
    count: int
    packet_bytes: int  # on the link
    kbps: float


def flow_for(limit_kbps, mtu_bytes, longest_bytes):
    """Packets for 300 ms at too high a rate, or for longer if these are too few."""
    kbps = OVERLOAD * limit_kbps
    wanted_bytes = kbps * DURATION_S * 1000 / 8
    most_bytes = min(FULL_BYTES, mtu_bytes + ETHERNET_BYTES)
    packet_bytes = min(most_bytes, max(LEAST_BYTES, round(wanted_bytes / LEAST_PACKETS)))
    # A token bucket holds the longest packet of the path: the limit takes effect once it is empty.
    head = round(longest_bytes / packet_bytes) if longest_bytes > FULL_BYTES else 0
    return Flow(head, max(LEAST_PACKETS, round(wanted_bytes / packet_bytes)), packet_bytes, kbps)


def send(udp, target, flow, mark=b"\0\0\0\0"):
    """Sends packets evenly at a rate; returns the rate achieved by the sender in kbit/s."""
    head, count, packet_bytes, kbps = flow
    interval_s = packet_bytes * 8 / (kbps * 1000)
    datagram = (COUNTED + mark).ljust(packet_bytes - HEADER_BYTES, b"\0")
    for _ in range(head):
        udp.sendto(datagram, target)
    start = time.monotonic()
    for number in range(count):
        ahead_s = start + number * interval_s - time.monotonic()
        if ahead_s > 0:
            time.sleep(ahead_s)
        udp.sendto(datagram, target)
    took_s = max(time.monotonic() - start, (count - 1) * interval_s) + interval_s
    return count * packet_bytes * 8 / took_s / 1000


def estimate(arrivals, head=0):
    """
    The rate of arrival: the slope of a least-squares line of bytes over time, which one late packet does not bend.
    Omits the first quarter: the limit takes effect once the queue is full and a token bucket is empty.
    """
    arrivals = sorted(arrivals)
    settled = arrivals[head + (len(arrivals) - head) // 4 :]
    result = {"packets": len(arrivals), "durationMs": 0.0, "pausedMs": 0.0, "kbps": None}
    if len(settled) < 4:
        return result
    times_ms = [(stamp - settled[0][0]) / 1e6 for stamp, _ in settled]
    bits = list(itertools.accumulate(size * 8 for _, size in settled))
    # Regresses times on bits, because only the times are noisy.
    ms_per_bit = statistics.linear_regression(bits, times_ms).slope
    result["durationMs"] = (settled[-1][0] - settled[0][0]) / 1e6
    result["pausedMs"] = paused_ns(settled) / 1e6
    result["kbps"] = 1 / ms_per_bit if ms_per_bit > 0 else None  # bit per ms is kbit/s
    return result


def paused_ns(arrivals):
    """Sum by which pauses between packets exceed the usual gap."""
    gaps = [after - before for (before, _), (after, _) in itertools.pairwise(arrivals)]
    usual = statistics.median(gaps)
    return sum(gap - usual for gap in gaps if gap - usual > PAUSE_NS)


def measure_up(control, udp_port, flow):
    """Measures the rate towards the server: sends too much, then requests the arrivals."""
    mark = os.urandom(4)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        offered_kbps = send(udp, (control.address, udp_port), flow, mark)
    before = None
    while True:
        # The request waits in the same queue behind the datagrams; two equal answers mean that all have arrived.
        arrived = control.request(f"arrived {mark.hex()} {flow.head}")
        if before and before["packets"] == arrived["packets"]:
            return {**arrived, "offeredKbps": offered_kbps}
        before = arrived
        time.sleep(QUIET_S)


def measure_down(control, flow):
    """Measures the rate towards the client: has the server send too much, and times what arrives."""
    arrivals = []
    finished = False
    with udp_socket(control.connection.getsockname()[0]) as udp:
        control.send(b"send %d %d %d %d %f" % (udp.getsockname()[1], *flow))
        while True:
            sources = [udp] if finished else [udp, control.connection]
            readable, _, _ = select.select(sources, [], [], QUIET_S if finished else RECEIVE_TIMEOUT_S)
            if udp in readable:
                data, stamp_ns, _ = receive(udp)
                arrivals.append((stamp_ns, bytes_on_link(data)))
            elif control.connection in readable:
                finished = True
            elif finished:
                break
            else:
                raise ProbeError(f"{control.address} sent nothing within {RECEIVE_TIMEOUT_S:g} s")
    return {**estimate(arrivals, flow.head), **json.loads(control.receive())}
