"""hypercorn's connections, with an end to what clients have left or given up, limits, and settings of QUIC."""

import asyncio
import logging

import h2.errors
import h2.events
import h11
from aioquic.h3.connection import ErrorCode
from aioquic.h3.events import DataReceived, HeadersReceived
from aioquic.quic.congestion.cubic import CubicCongestionControl
from aioquic.quic.congestion.reno import RenoCongestionControl
from aioquic.quic.events import ConnectionTerminated, StopSendingReceived, StreamReset
from hypercorn import protocol as hypercorn_protocol
from hypercorn.asyncio import run as hypercorn_run
from hypercorn.asyncio.tcp_server import TCPServer
from hypercorn.asyncio.udp_server import UDPServer
from hypercorn.events import Closed
from hypercorn.protocol import quic as hypercorn_quic
from hypercorn.protocol.events import Body, EndBody, StreamClosed
from hypercorn.protocol.h11 import H11Protocol
from hypercorn.protocol.h2 import H2Protocol
from hypercorn.protocol.h3 import H3Protocol
from hypercorn.protocol.quic import QuicProtocol

from recorded_site import MOST_READ_BYTES

CONGESTION_CONTROLS = {"cubic": CubicCongestionControl, "reno": RenoCongestionControl}
# hypercorn has room for 10: of what Chromium sends for a page of a hundred images it would throw a quarter away.
MOST_WAITING_DATAGRAMS = 1024
# Each costs as much work as a full one; browsers send none.
MOST_EMPTY_DATA_FRAMES = 1000
logger = logging.getLogger("hypercorn.error")


class TcpConnection(TCPServer):
    """One connection over TCP. hypercorn would keep it as long as an idle one when its client has closed it."""

    left = False

    async def _read_data(self):
        try:
            await super()._read_data()
        except Exception:
            # Left to hypercorn, those who answer would be waiting for ever.
            logger.exception("a connection")
            await self.protocol.handle(Closed())
        self.left = True
        await self.idle_task.stop()

    async def _idle_timeout(self):
        if not self.left:
            await super()._idle_timeout()

    async def _close(self):
        closing = self.writer.is_closing()
        # asyncio keeps a client's end of TLS until what came before is read, and a connection that is closed meanwhile stays for ever.
        if not closing:
            self.writer.transport.resume_reading()
        # Closing once more has asyncio's TLS let go of its buffers, and fails whoever still reads.
        if self.left or not closing:
            await super()._close()


class Http1Connection(H11Protocol):
    """One connection of HTTP/1.1. hypercorn would have whoever reads a further request wait for ever when the client is gone."""

    async def handle(self, event):
        await super().handle(event)
        if isinstance(event, Closed):
            self.connection = Gone()
            await self.can_read.set()

    async def _maybe_recycle(self):
        await super()._maybe_recycle()
        if self.connection.our_state is not h11.IDLE:
            await self.handle(Closed())


class Gone:
    """What h11 knows of a connection whose client is gone: nothing comes, and nothing can be sent."""

    they_are_waiting_for_100_continue = False
    our_state = their_state = h11.ERROR

    def receive_data(self, _data):
        """Nobody wants it."""

    def next_event(self):
        return h11.ConnectionClosed()

    def send(self, _event):
        raise h11.LocalProtocolError("the client is gone")


class Http2Connection(H2Protocol):
    """One connection of HTTP/2. hypercorn would have those who answer wait for room for ever when the client is gone."""

    empty_data_frames = 0

    async def handle(self, event):
        if isinstance(event, Closed):
            for buffer in list(self.stream_buffers.values()):
                await buffer.close()
        await super().handle(event)

    async def _handle_events(self, events):
        self.empty_data_frames += sum(
            isinstance(each, h2.events.DataReceived) and not each.data and not each.stream_ended
            for each in events
        )
        if self.empty_data_frames <= MOST_EMPTY_DATA_FRAMES:
            await super()._handle_events(events)
            return
        self.connection.close_connection(h2.errors.ErrorCodes.ENHANCE_YOUR_CALM)
        await self._flush()
        await self.send(Closed())


class QuicAddress(UDPServer):
    """The socket of one address over QUIC."""

    def __init__(self, *settings):
        super().__init__(*settings)
        self.protocol_queue = asyncio.Queue(MOST_WAITING_DATAGRAMS)


class QuicConnections(QuicProtocol):
    """All connections of one address over QUIC. What one of them brings about ends that one, and not the server."""

    def __init__(self, app, config, *further):
        super().__init__(app, config, *further)
        self.quic_config = config.quic

    async def handle(self, event):
        try:
            await super().handle(event)
        except Exception:
            logger.exception("a datagram from %s", event.address)

    async def _handle_timer(self, timer, connection):
        try:
            await super()._handle_timer(timer, connection)
        except Exception:
            logger.exception("a timer")

    async def _handle_events(self, connection, client=None):
        try:
            await super()._handle_events(connection, client)
        except Exception:
            logger.exception("a connection from %s", client)
            connection.quic.close(error_code=ErrorCode.H3_INTERNAL_ERROR)
            await self.send_all(connection)

    async def send_all(self, connection):
        await super().send_all(connection)
        if connection.h3 is not None:
            connection.h3.progress.set()


class QuicConnection(H3Protocol):
    """One connection over QUIC."""

    def __init__(self, app, config, *further):
        super().__init__(app, config, *further)
        self.quic = self.connection._quic
        # Set whenever something may have arrived at the client.
        self.progress = asyncio.Event()
        if not config.first_transport.done():
            config.first_transport.set_result(transport_of(self.quic))

    async def handle(self, quic_event):
        if isinstance(quic_event, ConnectionTerminated):
            for stream_id in list(self.streams):
                await self.end(stream_id)
        elif isinstance(quic_event, StreamReset | StopSendingReceived):
            await self.end(quic_event.stream_id)
        for event in self.connection.handle_event(quic_event):
            await self.handle_http(event)

    async def handle_http(self, event):
        if isinstance(event, HeadersReceived):
            if event.stream_id not in self.streams and any(
                name == b":method" for name, _ in event.headers
            ):
                await self._create_stream(event)
        elif not isinstance(event, DataReceived):
            return
        stream = self.streams.get(event.stream_id)
        # Who no longer wants the answer may still be sending the request.
        if stream is None:
            return
        if isinstance(event, DataReceived) and event.data:
            await stream.handle(Body(stream_id=event.stream_id, data=event.data))
        if event.stream_ended:
            await stream.handle(EndBody(stream_id=event.stream_id))

    async def end(self, stream_id):
        """Tells whoever answers that nobody waits any more."""
        stream = self.streams.pop(stream_id, None)
        if stream is not None:
            await stream.handle(StreamClosed(stream_id=stream_id))
        self.progress.set()

    async def stream_send(self, event):
        """Of a long body no more is taken than what may be read at once; hypercorn would keep all of it in memory."""
        # The wish not to be answered may come before the request.
        if self.sender_of(event.stream_id) is None:
            await self.end(event.stream_id)
        if event.stream_id not in self.streams:
            return
        await super().stream_send(event)
        while isinstance(event, Body) and event.stream_id in self.streams:
            sender = self.sender_of(event.stream_id)
            if sender is None or sender._buffer_stop - sender._buffer_start <= MOST_READ_BYTES:
                return
            self.progress.clear()
            await self.progress.wait()

    def sender_of(self, stream_id):
        """The sending half of a stream; None: nothing can be sent any more."""
        stream = self.quic._streams.get(stream_id)
        given_up = stream is None or stream.sender._reset_error_code is not None
        return None if given_up else stream.sender


def transport_of(quic):
    """What a new connection begins with, as the ready line has it."""
    control = quic._loss._cc
    [name] = [name for name, each in CONGESTION_CONTROLS.items() if type(control) is each]
    return {
        "congestionControl": name,
        "initialWindowPackets": str(control.congestion_window // quic._max_datagram_size),
        "initialWindowBytes": str(control.congestion_window),
    }


def use_own_classes():
    """hypercorn serves addresses and makes connections by these classes from now on."""
    hypercorn_run.TCPServer = TcpConnection
    hypercorn_run.UDPServer = QuicAddress
    hypercorn_protocol.H11Protocol = Http1Connection
    hypercorn_protocol.H2Protocol = Http2Connection
    hypercorn_quic.QuicProtocol = QuicConnections
    hypercorn_quic.H3Protocol = QuicConnection
