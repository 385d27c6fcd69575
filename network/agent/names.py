"""A name server in a namespace (RFC 1035, over UDP) that knows only the hosts of the last request."""

import json
import os
import select
import signal
import socket
import struct
from typing import NamedTuple

import helper_process
import namespaces

# On the namespace's loopback device: queries take no time on the path.
ADDRESS = "127.0.0.1"
_PORT = 53
# A whole number of seconds above 0: a repeated query within a load is answered from the client's cache.
_TTL_S = 1

_HEADER = struct.Struct("!6H")
_RESPONSE = 0x8000
_OPCODE = 0x7800
_AUTHORITATIVE = 0x0400
_RECURSION_DESIRED = 0x0100
_RECURSION_AVAILABLE = 0x0080
_NO_SUCH_NAME = 3
_POINTER_TO_QUESTION = b"\xc0\x0c"
_INTERNET = 1
_A = 1
_HTTPS = 65
_LONGEST_LABEL = 63
# RFC 9460: the record of the name itself, and the key of its protocols.
_SERVICE_PRIORITY = 1
_ALPN = 1

_MAX_QUERIES = 1000


class Question(NamedTuple):
    id: int
    flags: int
    name: str
    type: int
    # The query's own bytes, which the answer repeats.
    bytes: bytes


class NameServer(helper_process.HelperProcess):
    """A helper process in a namespace (an open /proc/PID/ns/net); idle without queries and requests."""

    def __init__(self, namespace):
        def work(control):
            namespaces.enter_network_namespace(namespace)
            server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            server.bind((ADDRESS, _PORT))
            helper_process.send(control, {"status": 0})
            _serve(control, server)

        super().__init__(f"the name server at {ADDRESS}", work)
        self.receive_started()

    def end(self):
        """Ends the process, even if it is stopped."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


class Names:
    """The known names, and the queries since they were set."""

    def __init__(self, addresses=None, https_record=None):
        """`addresses`: host to its IPv4 address; `https_record`: protocols in their HTTPS records; None: no such record."""
        self._addresses = addresses or {}
        self._https_record = https_record
        self.queries = []

    def answer(self, message):
        """The answer to a query; None if the message is not a query."""
        question = read_question(message)
        if question is None:
            return None
        records = self._records_of(question)
        if len(self.queries) < _MAX_QUERIES:
            self.queries.append({"name": question.name, "type": question.type, "records": len(records)})
        status = 0 if question.name in self._addresses else _NO_SUCH_NAME
        flags = _RESPONSE | _AUTHORITATIVE | question.flags & _RECURSION_DESIRED | _RECURSION_AVAILABLE | status
        answers = [
            _POINTER_TO_QUESTION + struct.pack("!HHIH", question.type, _INTERNET, _TTL_S, len(data)) + data
            for data in records
        ]
        header = _HEADER.pack(question.id, flags, 1, len(answers), 0, 0)
        return header + question.bytes + b"".join(answers)

    def _records_of(self, question):
        address = self._addresses.get(question.name)
        if address is not None and question.type == _A:
            return [socket.inet_aton(address)]
        if address is not None and question.type == _HTTPS and self._https_record is not None:
            return [https_record(self._https_record)]
        return []


def read_question(message):
    """The only question of a query; None if the message is something else or damaged."""
    if len(message) < _HEADER.size:
        return None
    number, flags, questions, _, _, _ = _HEADER.unpack_from(message)
    if flags & (_RESPONSE | _OPCODE) or questions != 1:
        return None
    labels = []
    at = _HEADER.size
    while at < len(message) and message[at] != 0:
        if message[at] > _LONGEST_LABEL:
            return None
        labels.append(message[at + 1 : at + 1 + message[at]])
        at += 1 + message[at]
    end = at + 5
    if end > len(message):
        return None
    kind, _ = struct.unpack_from("!HH", message, at + 1)
    name = b".".join(labels).decode("latin-1").lower()
    return Question(number, flags, name, kind, message[_HEADER.size : end])


def https_record(protocols):
    """The data of an HTTPS record for the name itself with these protocols (RFC 9460, sections 2.2 and 7.1)."""
    ids = b"".join(bytes([len(each)]) + each.encode("ascii") for each in protocols)
    return struct.pack("!HBHH", _SERVICE_PRIORITY, 0, _ALPN, len(ids)) + ids


def _serve(control, server):
    """Answers {"serve":{"addresses":{...},"httpsRecord":["h3","h2"] or null}} and {"queries":true}."""
    names = Names()
    requests = b""
    while True:
        ready, _, _ = select.select([control, server], (), ())
        if server in ready:
            message, client = server.recvfrom(4096)
            answer = names.answer(message)
            if answer is not None:
                server.sendto(answer, client)
        if control in ready:
            received = control.recv(65536)
            if not received:
                return
            *lines, requests = (requests + received).split(b"\n")
            for request in map(json.loads, lines):
                if "serve" in request:
                    names = Names(request["serve"]["addresses"], request["serve"]["httpsRecord"])
                    helper_process.send(control, {"status": 0})
                else:
                    helper_process.send(control, {"status": 0, "queries": names.queries})
