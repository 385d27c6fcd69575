"""An HTTP/3 server by aioquic, for what the project's own stacks do not do: it prints its port, then what it knows of each handshake.

Arguments: a certificate, its key, and how it behaves: plain, retry (it sends a Retry packet), refuse (it refuses connections), other
(it speaks another protocol than HTTP/3), reject (it rejects every request).
"""

import asyncio
import json
import sys

from aioquic.asyncio import QuicConnectionProtocol, serve
from aioquic.h3.connection import ErrorCode, H3Connection
from aioquic.h3.events import HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.events import HandshakeCompleted
from aioquic.quic.packet import QuicErrorCode

CERTIFICATE, KEY, BEHAVIOUR = sys.argv[1:]


class Server(QuicConnectionProtocol):
    http = None

    def quic_event_received(self, event):
        if isinstance(event, HandshakeCompleted):
            print(json.dumps({"resumed": event.session_resumed}), flush=True)
            if BEHAVIOUR == "refuse":
                self._quic.close(error_code=QuicErrorCode.CONNECTION_REFUSED, frame_type=0, reason_phrase="go away")
            else:
                self.http = H3Connection(self._quic)
        elif self.http is not None:
            for each in self.http.handle_event(event):
                if isinstance(each, HeadersReceived):
                    self.answer(each.stream_id)
        self.transmit()

    def answer(self, stream_id):
        if BEHAVIOUR == "reject":
            self._quic.reset_stream(stream_id, ErrorCode.H3_REQUEST_REJECTED)
        else:
            self.http.send_headers(stream_id, [(b":status", b"200")], end_stream=True)


async def main():
    configuration = QuicConfiguration(is_client=False, alpn_protocols=["other"] if BEHAVIOUR == "other" else ["h3"])
    configuration.load_cert_chain(CERTIFICATE, KEY)
    tickets = {}
    server = await serve(
        "127.0.0.1",
        0,
        configuration=configuration,
        create_protocol=Server,
        retry=BEHAVIOUR == "retry",
        session_ticket_fetcher=lambda label: tickets.pop(label, None),
        session_ticket_handler=lambda ticket: tickets.update({ticket.ticket: ticket}),
    )
    print(json.dumps({"port": server._transport.get_extra_info("sockname")[1]}), flush=True)
    # Until whoever started it is gone.
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


asyncio.run(main())
