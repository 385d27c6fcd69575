"""HTTP/3 by aioquic, whose server makes every client validate its address by a Retry packet.

It is told what to serve by a line of JSON on stdin, prints that it is ready, and ends with its stdin.
"""

import asyncio
import json
import os
import sys
import tempfile

from aioquic.asyncio import QuicConnectionProtocol, serve
from aioquic.h3.connection import H3_ALPN, H3Connection
from aioquic.h3.events import HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.events import ProtocolNegotiated

_PORT = 443


def protocol_of(hosts):
    """What answers everything with one page."""
    alt_svc_of = {host["name"]: host["altSvc"] for host in hosts}

    class Protocol(QuicConnectionProtocol):
        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs)
            self._http = None

        def quic_event_received(self, event):
            if isinstance(event, ProtocolNegotiated):
                self._http = H3Connection(self._quic)
            if self._http is None:
                return
            for told in self._http.handle_event(event):
                if isinstance(told, HeadersReceived):
                    name = dict(told.headers)[b":authority"].decode().removesuffix(f":{_PORT}")
                    self._answer(told.stream_id, name)

        def _answer(self, stream, name):
            headers = [(b":status", b"200"), (b"content-type", b"text/html")]
            alt_svc = alt_svc_of.get(name)
            if alt_svc is not None:
                headers.append((b"alt-svc", alt_svc.encode()))
            self._http.send_headers(stream, headers)
            page = f"<!doctype html><title>{name}</title><p>{name} over h3\n"
            self._http.send_data(stream, page.encode(), end_stream=True)
            self.transmit()

    return Protocol


def configuration_of(identity):
    configuration = QuicConfiguration(alpn_protocols=H3_ALPN, is_client=False)
    # It reads files alone.
    with tempfile.TemporaryDirectory() as folder:
        files = [os.path.join(folder, part) for part in ("certificate", "key")]
        for file, text in zip(files, (identity["certificate"], identity["key"])):
            with open(file, "w", encoding="ascii") as written:
                written.write(text)
        configuration.load_cert_chain(*files)
    return configuration


async def listen(listener):
    tickets = {}
    await serve(
        listener["address"],
        _PORT,
        configuration=configuration_of(listener["identity"]),
        create_protocol=protocol_of(listener["hosts"]),
        session_ticket_fetcher=lambda label: tickets.pop(label, None),
        session_ticket_handler=lambda ticket: tickets.update({ticket.ticket: ticket}),
        retry=True,
    )


async def main():
    for listener in json.loads(sys.stdin.readline())["udp"]:
        await listen(listener)
    print(json.dumps({"ready": True}), flush=True)
    await asyncio.to_thread(sys.stdin.read)
    # Without waiting for clients.
    os._exit(0)


asyncio.run(main())
