"""Makes QUIC connections for clients/connector.ts. aioquic is sans-I/O: this program owns the socket and the timers."""

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

# Servers that send tickets send them within one or two round trips.
TICKET_LIMIT_S = 2
MAX_DATAGRAM_BYTES = 65_535
MAX_HEAD_BYTES = 1_000_000
KEPT_TICKETS = 8
# aioquic's idle timeout must not fire before the request's own timeout.
IDLE_MARGIN_S = 60
VERSIONS = {QuicProtocolVersion.VERSION_1: "1", QuicProtocolVersion.VERSION_2: "2"}


_take_hello = tls.Context._client_handle_hello


def _take_and_note_hello(context, input_buf, output_buf):
    """Notes the key exchange group of the ServerHello, which aioquic does not keep."""
    hello = tls.pull_server_hello(input_buf)
    input_buf.seek(0)
    if hello.key_share is not None:
        context.noted_group = group_name(hello.key_share[0])
    _take_hello(context, input_buf, output_buf)


tls.Context._client_handle_hello = _take_and_note_hello
_make_context = tls.Context.__init__


def _make_context_with_x25519_first(context, *arguments, **named):
    """Offers X25519 first, as the other clients do: some servers take the first group."""
    _make_context(context, *arguments, **named)
    context._supported_groups.sort(key=lambda group: group is not tls.Group.X25519)


tls.Context.__init__ = _make_context_with_x25519_first
# aioquic warns about each failed connection; the result reports it as its error.
logging.getLogger("quic").setLevel(logging.CRITICAL)


class Secrets:
    """Collects aioquic's key log, and the times at which the client's sending secrets appear."""

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
    """File and folder, one of them None. Prefers the folder: aioquic reads a file again during each timed connection."""
    paths = ssl.get_default_verify_paths()
    names = os.listdir(paths.capath) if paths.capath else []
    if any(re.fullmatch(r"[0-9a-f]{8}\.0", name) for name in names):
        return None, paths.capath
    return paths.cafile, None


class Client:
    """Makes one connection at a time; keeps only session tickets."""

    def __init__(self):
        self._tickets = defaultdict(lambda: deque(maxlen=KEPT_TICKETS))

    def connect(self, request):
        if request["transport"] != "quic":
            raise contract.unsupported("aioquic speaks QUIC alone.")
        tickets = self._tickets[request["host"], request["address"], request["trust"]]
        ticket = None if request["resumption"] == "none" else self._usable(tickets, request)
        with Connection(request, ticket, tickets.append) as connection:
            return connection.make()

    def _usable(self, tickets, request):
        while tickets:
            ticket = tickets.pop()
            if not ticket.is_valid:
                continue
            if request["resumption"] == "ticket":
                # With this size aioquic would offer early data.
                return dataclasses.replace(ticket, max_early_data_size=None)
            if ticket.max_early_data_size:
                return ticket
        raise contract.no_ticket(request["host"])


class Connection:

    def __init__(self, request, ticket, keep):
        self._request = request
        self._ticket = ticket
        self._keep = keep
        self._start = time.perf_counter()
        self._deadline = self._start + request["timeoutMs"] / 1000
        self._secrets = Secrets(self._elapsed_ms)
        self._times = {}
        self._received_bytes = self._sent_bytes = 0
        self._tickets = 0
        self._handshake = None
        self._http = None
        self._stream = None
        self._is_open = False
        self._answer = {}
        self._sends_early = request["resumption"] == "early-data"
        ip, port = self._address = contract.address_of(request)
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
                    break  # Without a ticket in time the connection still succeeded.
                else:
                    raise timeout(missing, self._request["timeoutMs"])
        except contract.Failure as failed:
            failure = failed.reported
        except OSError as refused:
            failure = system_failure(refused).reported
        finally:
            self._close()
        may_send_ms = self._secrets.early_ms if self._sends_early else self._secrets.application_ms
        times = {"maySendMs": may_send_ms, **self._times}
        return contract.made(error=failure, facts=self._facts(), key_log=self._secrets.text, **times)

    def _configuration(self):
        request = self._request
        # Only version 1, as with the other clients: with both offered, some servers switch to version 2.
        configuration = QuicConfiguration(
            supported_versions=[QuicProtocolVersion.VERSION_1],
            alpn_protocols=["h3"],
            server_name=request["host"],
            idle_timeout=request["timeoutMs"] / 1000 + IDLE_MARGIN_S,
            secrets_log_file=self._secrets,
            session_ticket=self._ticket,
            verify_mode=ssl.CERT_NONE if request["trust"] is None else ssl.CERT_REQUIRED,
        )
        if request["trust"] == "system":
            # Without locations, aioquic trusts the authorities of the package certifi.
            configuration.load_verify_locations(*_system_authorities())
        elif request["trust"] is not None:
            configuration.load_verify_locations(request["trust"])
        return configuration

    def _open(self):
        if self._request["localPort"]:
            self._socket.bind(("", self._request["localPort"]))
        # Only a connected socket reports a closed port (ICMP).
        self._socket.connect(self._address)
        self._socket.setblocking(False)
        self._quic.connect(self._address, now=time.perf_counter())
        self._is_open = True
        if self._sends_early:
            self._send_request()
        self._send()

    def _send_request(self):
        """Starts HTTP/3 and sends the request, if any. Early data without a request carries only SETTINGS."""
        self._http = H3Connection(self._quic)
        request = self._request["request"]
        if request is None:
            return
        self._stream = self._quic.get_next_available_stream_id()
        head = {":method": "GET", ":scheme": "https", ":authority": self._request["authority"], ":path": request["path"]}
        self._http.send_headers(self._stream, [(name.encode(), value.encode()) for name, value in head.items()], end_stream=True)

    def _missing(self):
        """The layer that has not finished, or "ticket"; None: complete."""
        if self._received_bytes == 0:
            return "udp"
        if self._handshake is None or "confirmedMs" not in self._times:
            return "quic"
        if self._request["request"] and "totalMs" not in self._times:
            return "http"
        awaits = self._request["awaitsTicket"] and self._tickets == 0 and time.perf_counter() < self._ticket_limit()
        return "ticket" if awaits else None

    def _ticket_limit(self):
        """Deadline for a ticket, in seconds of the performance counter."""
        return self._start + self._times["confirmedMs"] / 1000 + TICKET_LIMIT_S

    def _step(self):
        """Waits for a datagram or a timer, and handles it."""
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
            # aioquic buffers a header section until it is complete.
            raise contract.Failure("http", "too-large", f"Expected response headers of at most {MAX_HEAD_BYTES} bytes, got more.")
        self._quic.receive_datagram(datagram, self._address, now=time.perf_counter())
        if self._quic._handshake_confirmed and "confirmedMs" not in self._times:
            self._times["confirmedMs"] = self._elapsed_ms()

    def _send(self):
        for datagram, _ in self._quic.datagrams_to_send(now=time.perf_counter()):
            self._sent_bytes += self._socket.send(datagram)

    def _take_events(self):
        while event := self._quic.next_event():
            if isinstance(event, HandshakeCompleted):
                self._handshake = event
                self._times["completeMs"] = self._elapsed_ms()
                if self._request["request"] and self._http is None:
                    self._send_request()
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
            self._times["firstByteMs"] = self._elapsed_ms()
            head = {name.decode(): value.decode("latin-1") for name, value in event.headers}
            self._answer = {"status": int(head[":status"]), "bodyBytes": 0, "altSvc": head.get("alt-svc")}
        elif isinstance(event, DataReceived):
            self._answer["bodyBytes"] += len(event.data)
        if event.stream_ended:
            self._times["totalMs"] = self._elapsed_ms()

    def _take_ticket(self, ticket):
        self._tickets += 1
        self._keep(ticket)

    def _close(self):
        """Closes the connection so that the server stops sending."""
        if not self._is_open:
            return
        try:
            self._quic.close()
            self._send()
        except OSError:
            pass  # The network is unreachable.

    def _facts(self):
        quic = self._quic
        # aioquic creates it when the connection opens.
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
            # aioquic's minimum is at least 1 ms.
            "rttMs": None if math.isinf(quic._loss._rtt_min) else quic._loss._rtt_min * 1000,
        }

    def _elapsed_ms(self):
        return (time.perf_counter() - self._start) * 1000


if __name__ == "__main__":
    contract.serve(Client().connect)
