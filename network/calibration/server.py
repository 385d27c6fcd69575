"""The server's end: echoes over UDP and TCP, counts what arrives at a rate, and sends at a rate on request."""

import json
import socket
import struct
import threading
import time

import ends
import rate
from urgency import raise_priority


class Server:
    def __init__(self, address):
        self.udp = rate.udp_socket(address)
        self.tcp = socket.create_server((address, 0))
        self.arrivals = {}  # mark of a flow -> [(time in ns, bytes)]

    def ports(self):
        return {"udpPort": self.udp.getsockname()[1], "tcpPort": self.tcp.getsockname()[1]}

    def start(self):
        threading.Thread(target=self.answer_udp, daemon=True).start()
        threading.Thread(target=self.accept, daemon=True).start()

    def answer_udp(self):
        raise_priority()
        while True:
            data, stamp_ns, sender = rate.receive(self.udp)
            if data[:1] == rate.COUNTED:
                mark = data[1:5]
                self.arrivals.setdefault(mark, []).append((stamp_ns, rate.bytes_on_link(data)))
            else:
                self.udp.sendto(data + struct.pack("!Q", time.monotonic_ns()), sender)

    def accept(self):
        # Threads inherit the priority of the thread that starts them: on a busy machine the first echoes
        # would wait 100 ms.
        raise_priority()
        while True:
            connection, peer = self.tcp.accept()
            # Read before any data is sent, so that it is the initial window.
            facts = ends.connection_facts(connection)
            threading.Thread(
                target=self.answer_tcp, args=(connection, peer[0], facts), daemon=True
            ).start()

    def answer_tcp(self, connection, client, facts):
        raise_priority()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        rest = b""
        with connection:
            while data := connection.recv(4096):
                # An echo comes first, because it is timed.
                if data.startswith(b"echo") and not rest:
                    connection.sendall(data)
                    continue
                *questions, rest = (rest + data).split(b"\n")
                for question in questions:
                    answer = self.answer(question.decode().split(), client, facts)
                    connection.sendall(json.dumps(answer).encode() + b"\n")

    def answer(self, question, client, facts):
        match question:
            case ["connection"]:
                return facts
            case ["fill", count]:
                return "-" * int(count)
            case ["arrived", mark, head]:
                return rate.estimate(self.arrivals.get(bytes.fromhex(mark), []), int(head))
            case ["send", port, head, count, packet_bytes, kbps]:
                flow = rate.Flow(int(head), int(count), int(packet_bytes), float(kbps))
                offered_kbps = rate.send(self.udp, (client, int(port)), flow)
                return {"offeredKbps": offered_kbps}
        return {"error": f"unknown question {' '.join(question)}"}
