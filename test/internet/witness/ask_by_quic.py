"""Asks hosts for a page by HTTP/3 with aioquic, all at once, and prints what came, a list as JSON:

    echo '[["www.test", "10.91.1.1"]]' | python ask_by_quic.py AUTHORITY SECONDS

{"received": types of the packets, "error": null or {"code": ..., "reason": ...}, "chainBytes": ..., "headers": {...}, "body": ...}
"""

import asyncio
import json
import os
import ssl
import sys

from aioquic.asyncio.client import connect
from aioquic.asyncio.protocol import QuicConnectionProtocol
from aioquic.h3.connection import H3_ALPN, H3Connection
from aioquic.h3.events import DataReceived, HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.events import ConnectionTerminated, ProtocolNegotiated
from aioquic.quic.logger import QuicLogger
from cryptography.hazmat.primitives.serialization import Encoding

_PORT = 443


class Client(QuicConnectionProtocol):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.http = None
        self.error = None
        self.headers = {}
        self.body = b""
        self.done = asyncio.Event()

    def quic_event_received(self, event):
        if isinstance(event, ProtocolNegotiated):
            self.http = H3Connection(self._quic)
        if isinstance(event, ConnectionTerminated):
            self.error = {"code": event.error_code, "reason": event.reason_phrase}
            self.done.set()
        if self.http is None:
            return
        for told in self.http.handle_event(event):
            if isinstance(told, HeadersReceived):
                self.headers = {name.decode(): value.decode() for name, value in told.headers}
            if isinstance(told, DataReceived):
                self.body += told.data
            if getattr(told, "stream_ended", False):
                self.done.set()

    def ask(self, host):
        stream = self._quic.get_next_available_stream_id()
        fields = {":method": "GET", ":scheme": "https", ":authority": host, ":path": "/"}
        headers = [(name.encode(), value.encode()) for name, value in fields.items()]
        self.http.send_headers(stream, headers, end_stream=True)
        self.transmit()

    def chain_bytes(self):
        tls = self._quic.tls
        sent = [tls._peer_certificate, *(tls._peer_certificate_chain or [])]
        return sum(len(each.public_bytes(Encoding.DER)) for each in sent if each is not None)


async def ask(host, address, authority, seconds):
    log = QuicLogger()
    configuration = QuicConfiguration(
        alpn_protocols=H3_ALPN, cafile=authority, quic_logger=log, server_name=host
    )
    configuration.verify_mode = ssl.CERT_REQUIRED
    made = []

    def create(*args, **kwargs):
        made.append(Client(*args, **kwargs))
        return made[0]

    async def talk():
        way = connect(address, _PORT, configuration=configuration, create_protocol=create)
        async with way as client:
            client.ask(host)
            await client.done.wait()

    late = None
    try:
        await asyncio.wait_for(talk(), seconds)
    except (TimeoutError, asyncio.TimeoutError):
        late = {"code": None, "reason": "timeout"}
    except OSError as error:
        late = {"code": None, "reason": str(error)}
    client = made[0]
    events = [event for trace in log.to_dict()["traces"] for event in trace["events"]]
    received = [
        event["data"]["header"]["packet_type"]
        for event in events
        if event["name"] == "transport:packet_received"
    ]
    failed = late if client.error is None or client.error["code"] == 0 else client.error
    return {
        "received": received,
        "error": failed,
        "chainBytes": client.chain_bytes() if received else 0,
        "headers": client.headers,
        "body": client.body.decode(),
    }


async def main(authority, seconds):
    asked = json.load(sys.stdin)
    answers = await asyncio.gather(*(ask(*each, authority, float(seconds)) for each in asked))
    print(json.dumps(answers))
    sys.stdout.flush()
    # Without waiting for connections that nobody answers.
    os._exit(0)


asyncio.run(main(*sys.argv[1:]))
