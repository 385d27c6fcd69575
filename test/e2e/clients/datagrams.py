"""Datagrams and TCP through a path, as any program sends them.

    datagrams.py serve ADDRESS                   echoes over UDP (also at port 53) and TCP until stdin closes; prints ports
    datagrams.py send ADDRESS UDPPORT TCPPORT COUNT INTERVAL_MS BYTES
        prints the number of echoes of this number of datagrams, for how long they were sent, the errors of their sender, and whether DNS's
        port and TCP answered
"""

import errno
import json
import select
import socket
import sys
import time


def serve(address):
    sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2)]
    for udp, port in zip(sockets, (0, 53)):
        udp.bind((address, port))
    tcp = socket.create_server((address, 0))
    print(json.dumps([sockets[0].getsockname()[1], tcp.getsockname()[1]]), flush=True)
    while True:
        for source in select.select([*sockets, tcp, sys.stdin], [], [])[0]:
            if source is sys.stdin:
                return
            if source is tcp:
                with tcp.accept()[0] as connection:
                    connection.sendall(connection.recv(2048))
                continue
            data, sender = source.recvfrom(2048)
            source.sendto(data, sender)


def send(address, udp_port, tcp_port, count, interval_ms, size):
    echoed, errors = 0, set()
    with connected(address, udp_port) as udp:
        began = time.monotonic()
        for number in range(count):
            echoed += echoes(udp, began + number * interval_ms / 1000, errors)
            try:
                udp.send(bytes(size))
            except OSError as error:
                errors.add(errno.errorcode[error.errno])
        sent_s = time.monotonic() - began
        # However late a busy machine echoes what is still to come.
        echoed += echoes(udp, time.monotonic() + 5, errors, stop_at=count - echoed)
    with connected(address, 53) as udp:
        udp.send(b"a question")
        dns = echoes(udp, time.monotonic() + 10, errors, stop_at=1) == 1
    with socket.create_connection((address, tcp_port), timeout=20) as tcp:
        tcp.sendall(b"hello")
        answered = tcp.recv(2048) == b"hello"
    print(json.dumps({"echoed": echoed, "sentS": sent_s, "errors": sorted(errors), "dns": dns, "tcp": answered}))


def connected(address, port):
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.connect((address, port))
    return udp


def echoes(udp, until, errors, stop_at=None):
    """Number of datagrams that arrive until a moment, at most `stop_at`."""
    came = 0
    while came != stop_at and select.select([udp], [], [], max(0, until - time.monotonic()))[0]:
        try:
            came += len(udp.recv(2048)) > 0
        except OSError as error:
            errors.add(errno.errorcode[error.errno])
    return came


if sys.argv[1] == "serve":
    serve(sys.argv[2])
else:
    send(sys.argv[2], *map(int, sys.argv[3:]))
