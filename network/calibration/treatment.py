"""What becomes of UDP where a path treats it in its own way, and of TCP meanwhile."""

import errno
import os
import socket
import time

import rate

# Enough to see whether any arrives, where no rate is asked for.
USUAL_KBPS = 1000


def over_udp(control, udp_port, kbps, sizes, burst_bytes):
    """What arrives of too many datagrams each way, after as many as a throttled path lets through at once, and what their sender is told."""
    flow = rate.flow_for(kbps or USUAL_KBPS, *sizes)
    flow = flow._replace(head=-(-burst_bytes // flow.packet_bytes))
    sent = flow.head + flow.count
    return {
        # First: a router may tell one sender only so often.
        "refusal": refusal(control, udp_port),
        "toServer": {"sent": sent, **rate.measure_up(control, udp_port, flow)},
        "toClient": {"sent": sent, **rate.measure_down(control, flow)},
    }


def refusal(control, udp_port):
    """The kernel's name of what a sender is told of its datagram, or None when it is told nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        udp.connect((control.address, udp_port))
        udp.send(rate.COUNTED + os.urandom(4))
        # An answer from the far end comes no later than one over TCP.
        control.ask("connection")
        number = udp.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
    return errno.errorcode.get(number, str(number)) if number else None


def over_tcp(control, count):
    """The rate in kbit/s at which so many bytes come over TCP."""
    begin = time.monotonic()
    filling = control.ask(f"fill {count}")
    return len(filling) * 8 / (time.monotonic() - begin) / 1000
