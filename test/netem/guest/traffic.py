"""Traffic through a path, from one end to the other, for the comparison of backends.

    traffic.py serve ADDRESS
        Notes the datagrams that arrive and sends what is asked for over TCP. Prints {"udpPort": N, "tcpPort": N}; for
        every line on stdin it prints the numbers of the datagrams that came since the last one.
    traffic.py flood ADDRESS UDPPORT COUNT INTERVAL_MS SEGMENTS
        Sends numbered datagrams, SEGMENTS of them in each call (as QUIC servers do), one call every INTERVAL_MS.
    traffic.py download ADDRESS TCPPORT BYTES
        Fetches bytes over a new connection and prints {"ms": ...} from connecting to the last byte.
"""

import json
import socket
import struct
import sys
import threading
import time

PAYLOAD_BYTES = 1200
NUMBER = struct.Struct("!I")
UDP_SEGMENT = 103  # not in Python's socket module


def serve(address):
    tcp = socket.create_server((address, 0))
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.bind((address, 0))
    arrived = []
    for run in (lambda: note_datagrams(udp, arrived), lambda: answer_downloads(tcp)):
        threading.Thread(target=run, daemon=True).start()
    say({"udpPort": udp.getsockname()[1], "tcpPort": tcp.getsockname()[1]})
    for _ in sys.stdin:
        numbers = arrived.copy()
        arrived.clear()
        say(numbers)


def note_datagrams(udp, arrived):
    while True:
        arrived.extend(NUMBER.unpack_from(udp.recv(2048)))


def answer_downloads(tcp):
    while True:
        connection, _ = tcp.accept()
        with connection:
            connection.sendall(bytes(NUMBER.unpack(connection.recv(NUMBER.size))[0]))


def flood(address, port, count, interval_ms, segments):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        udp.connect((address, port))
        if segments > 1:
            udp.setsockopt(socket.SOL_UDP, UDP_SEGMENT, PAYLOAD_BYTES)
        start = time.monotonic()
        for call, first in enumerate(range(0, count, segments)):
            wait_s = start + call * interval_ms / 1000 - time.monotonic()
            if wait_s > 0:
                time.sleep(wait_s)
            numbers = range(first, first + segments)
            udp.send(b"".join(NUMBER.pack(number).ljust(PAYLOAD_BYTES, b"\0") for number in numbers))


def download(address, port, size):
    start = time.monotonic()
    with socket.create_connection((address, port)) as connection:
        connection.sendall(NUMBER.pack(size))
        while received := connection.recv(65536):
            size -= len(received)
        if size != 0:
            sys.exit(f"{size} bytes are missing")
    say({"ms": (time.monotonic() - start) * 1000})


def say(message):
    print(json.dumps(message), flush=True)


mode, address, *numbers = sys.argv[1:]
{"serve": serve, "flood": flood, "download": download}[mode](address, *map(int, numbers))
