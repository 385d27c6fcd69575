"""Samples of a load's TCP connections: keeps the kernel's answers as they are, and parses them when they are written."""

import gzip
import json
import select
import socket
import time

import helper_process
import namespaces
import tcp_info

# Memory for all answers of a load; later samples are missed.
MOST_BYTES = 64 * 1024 * 1024
# Limits the time of one answer, because other requests wait meanwhile.
_WRITE_NS = 1_000_000_000


class Sampler(helper_process.HelperProcess):
    """
    A helper process in a namespace (an open /proc/PID/ns/net); idle without samples and requests. With a peer it also
    samples the connections to this address of the namespace in which it starts, the machine's.
    """

    def __init__(self, namespace, at_client=False, peer=None):
        def work(control):
            try:
                of_machine = tcp_info.open_diag() if peer else None
                namespaces.enter_network_namespace(namespace)
                diag = tcp_info.open_diag()
            except namespaces.NotAllowed as error:
                helper_process.send_refusal(control, error)
                return

            def query():
                answers = tcp_info.query(diag)
                if of_machine:
                    for family in (socket.AF_INET, socket.AF_INET6):
                        answers += tcp_info.query(of_machine, family)
                return answers

            helper_process.send(control, {"status": 0})
            _serve(control, Samples(query, at_client, peer=peer))

        super().__init__("the TCP_INFO sampler", work)
        self.receive_started()


class Samples:
    """The answers to `query` since the load began, with their times."""

    def __init__(self, query, at_client=False, most_bytes=MOST_BYTES, peer=None):
        self._query = query
        self._at_client = at_client
        self._peer = peer
        self._most_bytes = most_bytes
        self._earlier = set()
        self._kept = []
        self.missed = 0

    def begin(self, keeps_connections):
        """Forgets its samples and excludes the connections so far, unless connections are kept."""
        if not keeps_connections:
            self._earlier = {cookie for cookie, _ in tcp_info.connections(self._query())}
        self._kept = []
        self._room = self._most_bytes
        self.missed = 0

    def take(self):
        answers = self._query()
        self._room -= sum(len(answer) for answer in answers)
        if self._room < 0:
            self.missed += 1
        else:
            self._kept.append((time.time_ns(), answers))

    def write(self, file, first):
        """Appends samples from number `first` on, for a second; returns the next number, or None at the end."""
        until = time.monotonic_ns() + _WRITE_NS
        with gzip.open(file, "at", encoding="ascii", compresslevel=6) as target:
            for number in range(first, len(self._kept)):
                if time.monotonic_ns() > until:
                    return number
                moment, answers = self._kept[number]
                for cookie, numbers in tcp_info.connections(answers, self._at_client, self._peer):
                    if cookie not in self._earlier:
                        s, ns = divmod(moment, 1_000_000_000)
                        target.write(json.dumps({"s": s, "ns": ns, **numbers}, separators=(",", ":")) + "\n")
        return None


def _serve(control, samples):
    """Takes {"begin":{"everyMs":5,"keepsConnections":false,...}}, {"end":true} and {"write":{"file":...,"first":...}}."""
    every_ns, due = None, 0
    requests = b""
    while True:
        wait_s = None if every_ns is None else max(0, due - time.monotonic_ns()) / 1e9
        if not select.select([control], (), (), wait_s)[0]:
            samples.take()
            # Samples missed on a busy machine are not made up for.
            due = max(due + every_ns, time.monotonic_ns())
            continue
        received = control.recv(65536)
        if not received:
            return
        *lines, requests = (requests + received).split(b"\n")
        for line in lines:
            request = json.loads(line)
            answer = {"status": 0}
            try:
                if "begin" in request:
                    begin = request["begin"]
                    samples.begin(begin["keepsConnections"])
                    every_ns, due = int(begin["everyMs"] * 1_000_000), time.monotonic_ns()
                else:
                    # A load's totals are in its last sample.
                    if every_ns is not None:
                        samples.take()
                    every_ns = None
                    if "write" in request:
                        answer = {**answer, "next": samples.write(**request["write"]), "missed": samples.missed}
            except OSError as error:
                answer = {"status": 1, "stderr": str(error)}
            helper_process.send(control, answer)
