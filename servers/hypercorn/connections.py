"""hypercorn's connections with cleanup after clients, limits, and settings of QUIC."""

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
# hypercorn's 10 would drop a quarter of what Chromium sends for a page of a hundred images.
MOST_WAITING_DATAGRAMS = 1024
# Limit of a connection: an empty frame costs as much work as a full one, and browsers send none.
MOST_EMPTY_DATA_FRAMES = 1000
logger = logging.getLogger("hypercorn.error")


class TcpConnection(TCPServer):
    """A TCP connection. hypercorn would keep it open until the idle timeout after its client has closed it."""

    left = False

    async def _read_data(self):
        try:
            await super()._read_data()
        except Exception:
            # In hypercorn's own handler the senders of answers would wait forever.
            logger.exception("a connection")
            await self.protocol.handle(Closed())
        self.left = True
        await self.idle_task.stop()

    async def _idle_timeout(self):
        if not self.left:
            await super()._idle_timeout()

    async def _close(self):
        closing = self.writer.is_closing()
        # asyncio keeps the client's end of TLS until its data is read; a connection closed meanwhile would stay forever.
        if not closing:
            self.writer.transport.resume_reading()
        # A second close makes asyncio's TLS release its buffers, and fails pending reads.
        if self.left or not closing:
            await super()._close()


class Http1Connection(H11Protocol):
    """An HTTP/1.1 connection. hypercorn would read the next request forever when the client is gone."""

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
    """h11's state of a connection whose client is gone: no data arrives, and none can be sent."""

    they_are_waiting_for_100_continue = False
    our_state = their_state = h11.ERROR

    def receive_data(self, _data):
        """Discarded."""

    def next_event(self):
        return h11.ConnectionClosed()

    def send(self, _event):
        raise h11.LocalProtocolError("the client is gone")


class Http2Connection(H2Protocol):
    """An HTTP/2 connection. hypercorn's senders would wait for flow control forever when the client is gone."""

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
    """The QUIC socket of one address."""

    def __init__(self, *settings):
        super().__init__(*settings)
        self.protocol_queue = asyncio.Queue(MOST_WAITING_DATAGRAMS)


class QuicConnections(QuicProtocol):
    """All QUIC connections of one address. An error in one ends that one, not the server."""

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
    """A QUIC connection."""

    def __init__(self, app, config, *further):
        super().__init__(app, config, *further)
        self.quic = self.connection._quic
        # Set whenever the client may have received data.
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
        # A client that canceled the answer may still send the request.
        if stream is None:
            return
        if isinstance(event, DataReceived) and event.data:
            await stream.handle(Body(stream_id=event.stream_id, data=event.data))
        if event.stream_ended:
            await stream.handle(EndBody(stream_id=event.stream_id))

    async def end(self, stream_id):
        """Reports to the sender of an answer that its client no longer waits."""
        stream = self.streams.pop(stream_id, None)
        if stream is not None:
            await stream.handle(StreamClosed(stream_id=stream_id))
        self.progress.set()

    async def stream_send(self, event):
        """Limits the unread part of a long body; hypercorn would keep all of it in memory."""
        # The cancellation may arrive before the request.
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
        """The sending half of a stream; None: closed for sending."""
        stream = self.quic._streams.get(stream_id)
        given_up = stream is None or stream.sender._reset_error_code is not None
        return None if given_up else stream.sender


def transport_of(quic):
    """Initial values of a new connection, for the ready line."""
    control = quic._loss._cc
    [name] = [name for name, each in CONGESTION_CONTROLS.items() if type(control) is each]
    return {
        "congestionControl": name,
        "initialWindowPackets": str(control.congestion_window // quic._max_datagram_size),
        "initialWindowBytes": str(control.congestion_window),
    }


def use_own_classes():
    """Makes hypercorn use these classes for addresses and connections."""
    hypercorn_run.TCPServer = TcpConnection
    hypercorn_run.UDPServer = QuicAddress
    hypercorn_protocol.H11Protocol = Http1Connection
    hypercorn_protocol.H2Protocol = Http2Connection
    hypercorn_quic.QuicProtocol = QuicConnections
    hypercorn_quic.H3Protocol = QuicConnection
