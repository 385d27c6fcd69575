"""Makes connections by aioquic, as clients/connector.ts asks for them: the library does no input or output, this program does it."""

import dataclasses
import logging
import math
import os
import re
import select
import socket
import ssl
import sys
import time
from collections import defaultdict, deque
from pathlib import Path

from aioquic import tls
from aioquic.h3.connection import H3Connection
from aioquic.h3.events import DataReceived, HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import QuicConnection
from aioquic.quic.events import ConnectionTerminated, HandshakeCompleted, StreamReset
from aioquic.quic.packet import QuicProtocolVersion

sys.path.insert(0, str(Path(__file__).parents[1] / "python"))

import contract  # noqa: E402
from failures import failure_of, reset, system_failure, timeout  # noqa: E402
from wire_names import group_name  # noqa: E402

# A server that gives any gives them within a round trip or two.
TICKET_LIMIT_S = 2
MAX_DATAGRAM_BYTES = 65_535
MAX_HEAD_BYTES = 1_000_000
KEPT_TICKETS = 8
# The library's own limit must not come before the caller's.
IDLE_MARGIN_S = 60
VERSIONS = {QuicProtocolVersion.VERSION_1: "1", QuicProtocolVersion.VERSION_2: "2"}


_take_hello = tls.Context._client_handle_hello


def _take_and_note_hello(context, input_buf, output_buf):
    """The library forgets the group of the key exchange; the ServerHello passes here."""
    hello = tls.pull_server_hello(input_buf)
    input_buf.seek(0)
    if hello.key_share is not None:
        context.noted_group = group_name(hello.key_share[0])
    _take_hello(context, input_buf, output_buf)


tls.Context._client_handle_hello = _take_and_note_hello
_make_context = tls.Context.__init__


def _make_context_with_x25519_first(context, *arguments, **named):
    """As the other clients offer it; there are servers that take what comes first."""
    _make_context(context, *arguments, **named)
    context._supported_groups.sort(key=lambda group: group is not tls.Group.X25519)


tls.Context.__init__ = _make_context_with_x25519_first
# It warns of every connection that fails; that is reported as its error.
logging.getLogger("quic").setLevel(logging.CRITICAL)


class Secrets:
    """Where the library writes its key log; the first secrets of the client tell when it may send."""

    def __init__(self, elapsed_ms):
        self._elapsed_ms = elapsed_ms
        self.text = ""
        self.early_ms = None
        self.application_ms = None

    def write(self, line):
        self.text += line
        if line.startswith("CLIENT_EARLY_TRAFFIC_SECRET "):
            self.early_ms = self._elapsed_ms()
        elif line.startswith("CLIENT_TRAFFIC_SECRET_0 "):
            self.application_ms = self._elapsed_ms()

    def flush(self):
        pass


def _system_authorities():
    """File and folder, one of them None: a folder if it can be, since a file is read anew for each connection while it is timed."""
    paths = ssl.get_default_verify_paths()
    names = os.listdir(paths.capath) if paths.capath else []
    if any(re.fullmatch(r"[0-9a-f]{8}\.0", name) for name in names):
        return None, paths.capath
    return paths.cafile, None


class Client:
    """Makes one connection after the other; keeps nothing but their tickets."""

    def __init__(self):
        self._tickets = defaultdict(lambda: deque(maxlen=KEPT_TICKETS))

    def connect(self, asked):
        if asked["via"] != "quic":
            raise contract.unsupported("aioquic speaks QUIC alone.")
        tickets = self._tickets[asked["host"], asked["address"], asked["trust"]]
        ticket = None if asked["resumption"] == "none" else self._usable(tickets, asked)
        with Connection(asked, ticket, tickets.append) as connection:
            return connection.make()

    def _usable(self, tickets, asked):
        while tickets:
            ticket = tickets.pop()
            if not ticket.is_valid:
                continue
            if asked["resumption"] == "ticket":
                # With this left in it, early data would be offered.
                return dataclasses.replace(ticket, max_early_data_size=None)
            if ticket.max_early_data_size:
                return ticket
        raise contract.no_ticket(asked["host"])


class Connection:
    """One connection, from its socket to its end."""

    def __init__(self, asked, ticket, keep):
        self._request = asked
        self._ticket = ticket
        self._keep = keep
        self._start = time.perf_counter()
        self._deadline = self._start + asked["timeoutMs"] / 1000
        self._secrets = Secrets(self._elapsed_ms)
        self._instants = {}
        self._received_bytes = self._sent_bytes = 0
        self._tickets = 0
        self._handshake = None
        self._http = None
        self._stream = None
        self._is_open = False
        self._answer = {}
        self._sends_early = asked["resumption"] == "early-data"
        ip, port = self._address = contract.address_of(asked)
        self._socket = socket.socket(socket.AF_INET6 if ":" in ip else socket.AF_INET, socket.SOCK_DGRAM)
        self._quic = QuicConnection(configuration=self._configuration(), session_ticket_handler=self._take_ticket)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._socket.close()

    def make(self):
        failure = None
        try:
            self._open()
            while missing := self._missing():
                if time.perf_counter() < self._deadline:
                    self._step()
                elif missing == "ticket":
                    break  # The connection was made all the same.
                else:
                    raise timeout(missing, self._request["timeoutMs"])
        except contract.Failure as failed:
            failure = failed.reported
        except OSError as refused:
            failure = system_failure(refused).reported
        finally:
            self._close()
        may_send_ms = self._secrets.early_ms if self._sends_early else self._secrets.application_ms
        instants = {"maySendMs": may_send_ms, **self._instants}
        return contract.made(error=failure, facts=self._facts(), key_log=self._secrets.text, **instants)

    def _configuration(self):
        asked = self._request
        # The other clients offer version 1 alone too; asked for both, some servers change over to version 2.
        configuration = QuicConfiguration(
            supported_versions=[QuicProtocolVersion.VERSION_1],
            alpn_protocols=["h3"],
            server_name=asked["host"],
            idle_timeout=asked["timeoutMs"] / 1000 + IDLE_MARGIN_S,
            secrets_log_file=self._secrets,
            session_ticket=self._ticket,
            verify_mode=ssl.CERT_NONE if asked["trust"] is None else ssl.CERT_REQUIRED,
        )
        if asked["trust"] == "system":
            # Without either the library takes those of the package certifi.
            configuration.load_verify_locations(*_system_authorities())
        elif asked["trust"] is not None:
            configuration.load_verify_locations(asked["trust"])
        return configuration

    def _open(self):
        if self._request["localPort"]:
            self._socket.bind(("", self._request["localPort"]))
        # A connected socket hears that a port is closed.
        self._socket.connect(self._address)
        self._socket.setblocking(False)
        self._quic.connect(self._address, now=time.perf_counter())
        self._is_open = True
        if self._sends_early:
            self._ask()
        self._send()

    def _ask(self):
        """HTTP/3 begins, with the request if there is one. Early data without a request are its settings."""
        self._http = H3Connection(self._quic)
        request = self._request["request"]
        if request is None:
            return
        self._stream = self._quic.get_next_available_stream_id()
        head = {":method": "GET", ":scheme": "https", ":authority": self._request["authority"], ":path": request["path"]}
        self._http.send_headers(self._stream, [(name.encode(), value.encode()) for name, value in head.items()], end_stream=True)

    def _missing(self):
        """The layer whose work is not done yet, or the ticket that is waited for; None: everything is there."""
        if self._received_bytes == 0:
            return "udp"
        if self._handshake is None or "confirmedMs" not in self._instants:
            return "quic"
        if self._request["request"] and "totalMs" not in self._instants:
            return "http"
        awaits = self._request["awaitsTicket"] and self._tickets == 0 and time.perf_counter() < self._ticket_limit()
        return "ticket" if awaits else None

    def _ticket_limit(self):
        """Until when a ticket is waited for."""
        return self._start + self._instants["confirmedMs"] / 1000 + TICKET_LIMIT_S

    def _step(self):
        """Waits for a datagram or a timer, and does what is due."""
        now = time.perf_counter()
        timer = self._quic.get_timer()
        limits = [self._deadline, math.inf if timer is None else timer]
        if self._missing() == "ticket":
            limits.append(self._ticket_limit())
        wait_s = min(limits) - now
        readable, _, _ = select.select([self._socket], [], [], max(0, wait_s))
        if readable:
            self._receive()
        elif timer is not None and time.perf_counter() >= timer:
            self._quic.handle_timer(now=time.perf_counter())
        self._take_events()
        self._send()

    def _receive(self):
        datagram = self._socket.recv(MAX_DATAGRAM_BYTES)
        self._received_bytes += len(datagram)
        if self._request["request"] and "status" not in self._answer and self._received_bytes > MAX_HEAD_BYTES:
            # The library keeps a head until it is whole.
            raise contract.Failure("http", "too-large", f"Expected the head of an answer, got {MAX_HEAD_BYTES} bytes without its end.")
        self._quic.receive_datagram(datagram, self._address, now=time.perf_counter())
        if self._quic._handshake_confirmed and "confirmedMs" not in self._instants:
            self._instants["confirmedMs"] = self._elapsed_ms()

    def _send(self):
        for datagram, _ in self._quic.datagrams_to_send(now=time.perf_counter()):
            self._sent_bytes += self._socket.send(datagram)

    def _take_events(self):
        while event := self._quic.next_event():
            if isinstance(event, HandshakeCompleted):
                self._handshake = event
                self._instants["completeMs"] = self._elapsed_ms()
                if self._request["request"] and self._http is None:
                    self._ask()
            elif isinstance(event, ConnectionTerminated):
                raise failure_of(event)
            elif isinstance(event, StreamReset) and event.stream_id == self._stream:
                raise reset(event.error_code)
            elif self._http is not None:
                for answer in self._http.handle_event(event):
                    self._take_answer(answer)

    def _take_answer(self, event):
        if event.stream_id != self._stream:
            return
        if isinstance(event, HeadersReceived) and "status" not in self._answer:
            self._instants["firstByteMs"] = self._elapsed_ms()
            head = {name.decode(): value.decode("latin-1") for name, value in event.headers}
            self._answer = {"status": int(head[":status"]), "bodyBytes": 0, "altSvc": head.get("alt-svc")}
        elif isinstance(event, DataReceived):
            self._answer["bodyBytes"] += len(event.data)
        if event.stream_ended:
            self._instants["totalMs"] = self._elapsed_ms()

    def _take_ticket(self, ticket):
        self._tickets += 1
        self._keep(ticket)

    def _close(self):
        """Tells the server, which would go on sending else."""
        if not self._is_open:
            return
        try:
            self._quic.close()
            self._send()
        except OSError:
            pass  # It is gone already.

    def _facts(self):
        quic = self._quic
        # There is none before it is opened.
        context = getattr(quic, "tls", None)
        facts = {**self._answer, "bytesSent": self._sent_bytes, "bytesReceived": self._received_bytes}
        group = getattr(context, "noted_group", None)
        if group is None:
            return facts
        handshake, resumed = self._handshake, context.session_resumed
        certificates = [] if resumed or context._peer_certificate is None else [context._peer_certificate, *context._peer_certificate_chain]
        sent_early = self._sends_early and handshake is not None
        return {
            **facts,
            "tlsVersion": "TLS 1.3",
            "cipher": f"TLS_{context.key_schedule.cipher_suite.name}",
            "group": group,
            "alpn": context.alpn_negotiated,
            "quicVersion": VERSIONS.get(quic._version, f"{quic._version:x}"),
            "retry": quic._retry_source_connection_id is not None,
            "resumed": None if self._ticket is None else resumed,
            "earlyData": ("accepted" if handshake.early_data_accepted else "rejected") if sent_early else None,
            "certificateChainBytes": sum(len(each.public_bytes(tls.serialization.Encoding.DER)) for each in certificates) or None,
            # The library counts no less than 1 ms.
            "rttMs": None if math.isinf(quic._loss._rtt_min) else quic._loss._rtt_min * 1000,
        }

    def _elapsed_ms(self):
        return (time.perf_counter() - self._start) * 1000


if __name__ == "__main__":
    contract.serve(Client().connect)
