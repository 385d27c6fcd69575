"""Times the set-up of connections, and what a server sends at first.

    set-ups.py serve ADDRESS      answers over UDP and TCP until stdin closes; prints its ports
    set-ups.py exchange ADDRESS UDPPORT TCPPORT
        prints the ms of a flow's first and second exchange of datagrams, and of a connection and exchange over TCP,
        each the least of three
    set-ups.py flight ADDRESS UDPPORT COUNT BYTES
        prints when each of this number of datagrams arrived, in ms after the first
"""

import json
import select
import socket
import sys
import time


def serve(address):
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.bind((address, 0))
    tcp = socket.create_server((address, 0))
    print(json.dumps([udp.getsockname()[1], tcp.getsockname()[1]]), flush=True)
    while True:
        for source in select.select([udp, tcp, sys.stdin], [], [])[0]:
            if source is sys.stdin:
                return
            if source is tcp:
                with tcp.accept()[0] as connection:
                    connection.sendall(connection.recv(2048))
                continue
            request, sender = udp.recvfrom(2048)
            count, size = json.loads(request)
            for _ in range(count):
                udp.sendto(bytes(size), sender)


def exchange(address, udp_port, tcp_port):
    print(json.dumps([min(each) for each in zip(*(exchanges(address, udp_port, tcp_port) for _ in range(3)))]))


def exchanges(address, udp_port, tcp_port):
    moments = [time.monotonic()]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        udp.settimeout(20)
        udp.connect((address, udp_port))
        for _ in range(2):
            udp.send(b"[1, 9]")
            udp.recv(2048)
            moments.append(time.monotonic())
    with socket.create_connection((address, tcp_port), timeout=20) as tcp:
        tcp.sendall(b"hello")
        tcp.recv(2048)
        moments.append(time.monotonic())
    return [(end - begin) * 1000 for begin, end in zip(moments, moments[1:])]


def flight(address, port, count, size):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        udp.settimeout(20)
        udp.connect((address, port))
        udp.send(json.dumps([count, size]).encode())
        times = [udp.recv(2048) and time.monotonic() for _ in range(count)]
    print(json.dumps([(each - times[0]) * 1000 for each in times]))


if sys.argv[1] == "serve":
    serve(sys.argv[2])
elif sys.argv[1] == "exchange":
    exchange(sys.argv[2], *map(int, sys.argv[3:]))
else:
    flight(sys.argv[2], *map(int, sys.argv[3:]))
