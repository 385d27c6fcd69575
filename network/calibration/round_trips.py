"""Round trips through the path, over UDP and over TCP; all times in ms."""

import select
import socket
import statistics
import struct
import time

from control import TIMEOUT_S, Control, ProbeError

UDP_PROBES = 50
# In parallel: a machine that waits for one distant answer falls asleep and wakes up slowly (0.5 ms was measured in a
# virtual machine), which the path does not do while a page loads.
SPACING_S = 0.010
# Most probes sent, with those that replace lost ones.
UDP_PROBES_LIMIT = 4 * UDP_PROBES
# A path is dead if no answer arrives within this time after the last probe.
SILENCE_S = 3.0
TCP_PROBES = 20
TCP_CONNECTS = 5
# Messages in flight, well below TCP's initial window of 10 segments.
IN_FLIGHT = 6
# Upper bound of a probe's size on the link, for the spacing only.
PROBE_BYTES = 100

PROBE = struct.Struct("!cIQ")  # kind, number, time of sending
ECHO = struct.Struct("!cIQQ")  # kind, number, time of sending, the server's time


def over_udp(address, port, limits_kbps):
    """Evenly spaced probes; a lost one is replaced, because it has no round trip."""
    spacing_s = spacing(limits_kbps)
    answers = {}  # number -> (round trip, to the server, to the client)
    sent = 0
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        udp.connect((address, port))
        while len(answers) < UDP_PROBES and sent < UDP_PROBES_LIMIT:
            start = time.monotonic()
            for turn in range(min(UDP_PROBES - len(answers), UDP_PROBES_LIMIT - sent)):
                receive(udp, answers, start + turn * spacing_s, stop_at=None)
                udp.send(PROBE.pack(b"E", sent, time.monotonic_ns()))
                sent += 1
            slowest_ms = max((answer[0] for answer in answers.values()), default=None)
            wait_s = SILENCE_S if slowest_ms is None else 0.05 + 3 * slowest_ms / 1e3
            receive(udp, answers, time.monotonic() + wait_s, stop_at=UDP_PROBES)
            if not answers:
                break
    if len(answers) < UDP_PROBES / 2:
        raise ProbeError(f"only {len(answers)} of {sent} UDP probes to {address} came back")
    round_trip, to_server, to_client = zip(*(answers[number] for number in sorted(answers)))
    return {
        "udpRttMs": round_trip,
        "toServerMs": to_server,
        "toClientMs": to_client,
        "udpProbes": sent,
        "udpProbesLost": sent - len(answers),
    }


def receive(udp, answers, until, stop_at):
    """Reads answers until a time, or until there are enough of them."""
    while stop_at is None or len(answers) < stop_at:
        remaining_s = until - time.monotonic()
        readable, _, _ = select.select([udp], [], [], max(0.0, remaining_s))
        if not readable:
            return
        data = udp.recv(2048)
        now_ns = time.monotonic_ns()
        if len(data) != ECHO.size:
            continue
        _, number, sent_ns, seen_ns = ECHO.unpack(data)
        # All namespaces of a machine share the monotonic clock, so one-way times are valid.
        times_ns = (now_ns - sent_ns, seen_ns - sent_ns, now_ns - seen_ns)
        answers[number] = tuple(time_ns / 1e6 for time_ns in times_ns)


def over_tcp(address, port, limits_kbps):
    """Times to connect, and small messages on one connection, evenly spaced."""
    connects = []
    for _ in range(TCP_CONNECTS - 1):
        with Control(address, port) as control:
            connects.append(control.connect_ms)
    with Control(address, port) as control:
        connects.append(control.connect_ms)
        # With more messages in flight than the window allows, TCP would delay the rest.
        within_window_s = statistics.median(connects) / 1e3 / IN_FLIGHT
        echoes = echo(control, max(spacing(limits_kbps), within_window_s))
    return {"tcpConnectMs": connects, "tcpRttMs": echoes}


def echo(control, spacing_s):
    message = b"echo\n"
    connection = control.connection
    sent_ns = []
    took_ms = []
    rest = 0
    start = time.monotonic()
    while len(took_ms) < TCP_PROBES:
        all_sent = len(sent_ns) == TCP_PROBES
        wait_s = TIMEOUT_S if all_sent else start + len(sent_ns) * spacing_s - time.monotonic()
        readable, _, _ = select.select([connection], [], [], max(0.0, wait_s))
        if readable:
            data = connection.recv(4096)
            now_ns = time.monotonic_ns()
            if not data:
                raise ProbeError(f"the TCP connection to {control.address} was closed")
            whole, rest = divmod(rest + len(data), len(message))
            # Answers arrive in the order of the messages.
            took_ms += [
                (now_ns - began_ns) / 1e6
                for began_ns in sent_ns[len(took_ms) : len(took_ms) + whole]
            ]
        elif all_sent:
            raise ProbeError(f"no echo over TCP from {control.address} within {TIMEOUT_S:g} s")
        else:
            sent_ns.append(time.monotonic_ns())
            connection.sendall(message)
    return took_ms


def spacing(limits_kbps):
    """Keeps probes from filling the queue of a slow link."""
    slowest_s = max((PROBE_BYTES * 8 / (kbps * 1000) for kbps in limits_kbps), default=0)
    return max(SPACING_S, 4 * slowest_s)
