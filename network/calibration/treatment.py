"""Measures how the path treats UDP, and TCP at the same time."""

import errno
import os
import socket
import time

import rate

# Enough to see whether any datagram arrives, if no rate is given.
USUAL_KBPS = 1000


def over_udp(control, udp_port, kbps, sizes, burst_bytes):
    """Datagrams that arrive each way beyond a throttled path's burst, and the error that their sender receives."""
    flow = rate.flow_for(kbps or USUAL_KBPS, *sizes)
    flow = flow._replace(head=-(-burst_bytes // flow.packet_bytes))
    sent = flow.head + flow.count
    return {
        # Measured first, because a router may limit how often it reports an error to a sender.
        "refusal": refusal(control, udp_port),
        "toServer": {"sent": sent, **rate.measure_up(control, udp_port, flow)},
        "toClient": {"sent": sent, **rate.measure_down(control, flow)},
    }


def refusal(control, udp_port):
    """Name of the error that the sender of a datagram receives; None: no error."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        udp.connect((control.address, udp_port))
        udp.send(rate.COUNTED + os.urandom(4))
        # An ICMP error arrives no later than this answer over TCP.
        control.request("connection")
        number = udp.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
    return errno.errorcode.get(number, str(number)) if number else None


def over_tcp(control, count):
    """The rate in kbit/s at which `count` bytes arrive over TCP."""
    begin = time.monotonic()
    filling = control.request(f"fill {count}")
    return len(filling) * 8 / (time.monotonic() - begin) / 1000
