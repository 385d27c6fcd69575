"""The prober's TCP connection to the server: one line for a request, one line for its answer."""

import json
import socket
import time

TIMEOUT_S = 20.0


class ProbeError(Exception):
    """The path does not carry the probes."""


class Control:
    def __init__(self, address, port):
        begin_ns = time.monotonic_ns()
        self.connection = socket.create_connection((address, port), timeout=TIMEOUT_S)
        self.connect_ms = (time.monotonic_ns() - begin_ns) / 1e6
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.address = address
        self.lines = self.connection.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.lines.close()
        self.connection.close()

    def send(self, line):
        self.connection.sendall(line + b"\n")

    def receive(self):
        line = self.lines.readline()
        if not line:
            raise ProbeError(f"the TCP connection to {self.address} was closed")
        return line.rstrip(b"\n")

    def request(self, line):
        self.send(line.encode())
        return json.loads(self.receive())
