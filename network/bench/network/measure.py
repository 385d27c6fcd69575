"""Small programs that measure a path, run in the namespaces of its ends.

    measure.py echo ADDRESS               answers every UDP packet; {"port": N}
    measure.py probe ADDRESS PORT COUNT INTERVAL_MS      {"rttsMs": [...]}, null for a lost probe
    measure.py sink ADDRESS               counts UDP packets; {"port": N}, and the count at the end
    measure.py burst ADDRESS PORT COUNT BYTES KBPS       sends UDP packets; {"sent": N}
    measure.py groups ADDRESS PORT COUNT  sends UDP packets in groups of 10, cut by the kernel
    measure.py flood ADDRESS PORT SECONDS PER_S          groups at PER_S packets a second; {"sent": N, "seconds": S}
    measure.py hole ADDRESS               drops UDP packets unread; {"port": N}
    measure.py take ADDRESS               receives over TCP; {"port": N}, and bytes and seconds of each connection
    measure.py give ADDRESS PORT SECONDS [BYTES]         sends over TCP; {"sentBytes": N}
    measure.py sizes DEVICE               counts packets; {"port": 0}, and the longest at the end
    measure.py reach ADDRESS PORT         connects by TCP and UDP; {"tcp": "ENETUNREACH", "udp": ...}
    measure.py pages ADDRESS              serves a page of many images that reloads itself

Servers end when their stdin does. Round trips are timed by the kernel, so that they exclude the
wait for the processor after a packet's arrival.
"""

import errno
import json
import os
import select
import socket
import struct
import sys
import threading
import time

_LOST_AFTER_S = 5.0
_SO_RCVBUFFORCE = 33
_SO_TIMESTAMPNS = 35
_UDP_SEGMENT = 103
_ETH_P_ALL = 3
_NUMBER = struct.Struct("!Q")


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def _udp(address):
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.bind((address, 0))
    return udp


def _enlarge_buffer(receiver):
    """Holds packets while this program waits for the processor; exceeds the machine's limit if allowed."""
    try:
        receiver.setsockopt(socket.SOL_SOCKET, _SO_RCVBUFFORCE, 8 << 20)
    except PermissionError:
        receiver.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 20)


def _until_stdin_ends(udp, on_packet):
    poll = select.poll()
    poll.register(udp, select.POLLIN)
    poll.register(sys.stdin, select.POLLIN)
    while True:
        for file, _ in poll.poll():
            if file == udp.fileno():
                on_packet()
            elif not os.read(sys.stdin.fileno(), 4096):
                return


def _read_rest(receiver, on_packet):
    """Reads packets that arrived before the end of stdin."""
    receiver.setblocking(False)
    try:
        while True:
            on_packet()
    except BlockingIOError:
        pass


def echo(address):
    udp = _udp(address)
    udp.setsockopt(socket.SOL_SOCKET, _SO_TIMESTAMPNS, 1)
    say({"port": udp.getsockname()[1]})

    def answer():
        packet, arrived_ns, sender = _receive(udp)
        # The prober subtracts the time between arrival and answer.
        udp.sendto(packet[:8] + _NUMBER.pack(time.time_ns() - arrived_ns) + packet[16:], sender)

    _until_stdin_ends(udp, answer)


def probe(address, port, count, interval_ms):
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.setsockopt(socket.SOL_SOCKET, _SO_TIMESTAMPNS, 1)
    udp.connect((address, int(port)))
    rtts_ms = []
    next_at = time.monotonic()
    for number in range(int(count)):
        time.sleep(max(0, next_at - time.monotonic()))
        next_at = max(next_at + float(interval_ms) / 1000, time.monotonic())
        sent_ns = time.time_ns()
        udp.send(_NUMBER.pack(number).ljust(64, b"\0"))
        rtts_ms.append(_rtt_ms(udp, number, sent_ns))
    say({"rttsMs": rtts_ms})


def _rtt_ms(udp, number, sent_ns):
    """Waits for the answer to one probe, and ignores answers to earlier ones."""
    end = time.monotonic() + _LOST_AFTER_S
    while (left_s := end - time.monotonic()) > 0:
        udp.settimeout(left_s)
        try:
            answer, arrived_ns, _ = _receive(udp)
        except TimeoutError:
            break
        if _NUMBER.unpack_from(answer)[0] == number:
            return (arrived_ns - sent_ns - _NUMBER.unpack_from(answer, 8)[0]) / 1e6
    return None


def _receive(udp):
    """A packet, its arrival in ns since 1970 by the kernel, and its sender."""
    packet, ancillary, _, sender = udp.recvmsg(2048, 128)
    seconds, nanoseconds = struct.unpack_from("qq", ancillary[0][2])
    return packet, seconds * 1_000_000_000 + nanoseconds, sender


def sink(address):
    udp = _udp(address)
    _enlarge_buffer(udp)
    say({"port": udp.getsockname()[1]})
    packets, received_bytes, first_ns, last_ns = 0, 0, 0, 0

    def count():
        nonlocal packets, received_bytes, first_ns, last_ns
        packet = udp.recv(65535)
        last_ns = time.monotonic_ns()
        if packets == 0:
            first_ns = last_ns
        packets += 1
        received_bytes += len(packet)

    _until_stdin_ends(udp, count)
    _read_rest(udp, count)
    say({"packets": packets, "bytes": received_bytes, "seconds": (last_ns - first_ns) / 1e9})


def burst(address, port, count, size_bytes, kbps):
    """Sends at a rate (of the IP packets with Ethernet header, as the path counts them)."""
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.connect((address, int(port)))
    gap_s = (int(size_bytes) + 42) * 8 / (float(kbps) * 1000)
    payload = b"\0" * int(size_bytes)
    next_at = time.monotonic()
    for _ in range(int(count)):
        while (left_s := next_at - time.monotonic()) > 0:
            time.sleep(left_s)
        next_at += gap_s
        udp.send(payload)
    say({"sent": int(count)})


def groups(address, port, count):
    """Sends as QUIC does: the kernel cuts the data of one call into ten packets."""
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.setsockopt(socket.IPPROTO_UDP, _UDP_SEGMENT, 1200)
    udp.connect((address, int(port)))
    for _ in range(int(count)):
        udp.send(bytes(12_000))
        time.sleep(0.002)
    say({"sent": 10 * int(count)})


def flood(address, port, seconds, per_s):
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.setsockopt(socket.IPPROTO_UDP, _UDP_SEGMENT, 1200)
    udp.connect((address, int(port)))
    group = bytes(12_000)
    groups = round(float(seconds) * float(per_s) / 10)
    started = time.monotonic()
    for number in range(groups):
        while (left_s := started + number * 10 / float(per_s) - time.monotonic()) > 0:
            time.sleep(left_s)
        udp.send(group)
    say({"sent": 10 * groups, "seconds": time.monotonic() - started})


def hole(address):
    udp = _udp(address)
    # A full buffer makes the kernel drop packets, which takes less time than to read them.
    udp.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    say({"port": udp.getsockname()[1]})
    _end_with_stdin()


def sizes(device):
    capture = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.ntohs(_ETH_P_ALL))
    capture.bind((device, _ETH_P_ALL))
    _enlarge_buffer(capture)
    say({"port": 0})
    packets, longest = 0, 0

    def measure():
        nonlocal packets, longest
        longest = max(longest, len(capture.recv(65535)))
        packets += 1

    _until_stdin_ends(capture, measure)
    _read_rest(capture, measure)
    say({"packets": packets, "longestBytes": longest})


def reach(address, port):
    answers = {}
    for name, kind in (("tcp", socket.SOCK_STREAM), ("udp", socket.SOCK_DGRAM)):
        with socket.socket(socket.AF_INET, kind) as attempt:
            attempt.settimeout(5)
            try:
                attempt.connect((address, int(port)))
                answers[name] = "reached"
            except OSError as error:
                answers[name] = errno.errorcode.get(error.errno, str(error))
    say(answers)


def take(address):
    server = socket.create_server((address, 0))
    say({"port": server.getsockname()[1]})
    threading.Thread(target=_end_with_stdin, daemon=True).start()
    while True:
        connection, _ = server.accept()
        started_ns = time.monotonic_ns()
        received_bytes = 0
        buffer = bytearray(1 << 20)
        while received := connection.recv_into(buffer):
            received_bytes += received
        seconds = (time.monotonic_ns() - started_ns) / 1e9
        connection.close()
        say({"bytes": received_bytes, "seconds": seconds})


def give(address, port, seconds, most_bytes="inf"):
    tcp = socket.create_connection((address, int(port)))
    end = time.monotonic() + float(seconds)
    sent_bytes, most = 0, float(most_bytes)
    payload = b"\0" * (1 << 18)
    while sent_bytes < most and time.monotonic() < end:
        sent_bytes += tcp.send(payload[: int(min(len(payload), most - sent_bytes))])
    say({"sentBytes": sent_bytes})
    tcp.close()


def pages(address):
    import http.server

    image = b"<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'>" + b"".join(
        b"<circle cx='%d' cy='%d' r='3'/>" % (n % 40, n * 7 % 40) for n in range(400)
    ) + b"</svg>"
    page = (
        "<body><script>addEventListener('load', () => setTimeout(() => location.reload(), 50));"
        "for (let n = 0; n < 300; n++) document.write(`<p>${'word '.repeat(40)}</p>`);</script>"
        + "".join(f"<img src='/image?{n}'>" for n in range(60))
    ).encode()

    class Pages(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            body, kind = (image, "image/svg+xml") if "image" in self.path else (page, "text/html")
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("cache-control", "no-store")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer((address, 0), Pages)
    server.daemon_threads = True
    say({"port": server.server_address[1]})
    threading.Thread(target=_end_with_stdin, daemon=True).start()
    server.serve_forever()


def _end_with_stdin():
    while os.read(sys.stdin.fileno(), 4096):
        pass
    os._exit(0)


PROGRAMS = (echo, probe, sink, burst, groups, flood, hole, sizes, reach, take, give, pages)

if __name__ == "__main__":
    {program.__name__: program for program in PROGRAMS}[sys.argv[1]](*sys.argv[2:])
