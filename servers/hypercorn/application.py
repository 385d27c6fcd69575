"""The Flask application in the form that hypercorn calls.

hypercorn would take it as it is, but keeps a whole request's body in memory, joins cookies by a comma, and tells no application
the URL as it was sent.
"""

import asyncio
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from io import RawIOBase

from hypercorn.app_wrappers import _build_environ as environ_by_hypercorn
from hypercorn.protocol.events import Request
from hypercorn.protocol.http_stream import HTTPStream
from hypercorn.protocol.ws_stream import WSStream

from recorded_site import request_of

# For reading files and matching; none of them waits.
THREADS = 16


class DiscardedBody(RawIOBase):
    """A request's body after it was received and thrown away: as many bytes, of which nobody wants to know what they were."""

    def __init__(self, length):
        self.left = length

    def read(self, size):
        piece = bytes(min(size, self.left))
        self.left -= len(piece)
        return piece


class Application:
    """Answers requests by a WSGI application, in threads; a client that is slow or gone holds none, nor does a request that waits.

    `replay` knows how long each waits; None: none does.
    """

    def __init__(self, app, replay):
        self.app = app
        self.replay = replay
        self.threads = ThreadPoolExecutor(THREADS)
        # Requests that are being answered.
        self.open = 0

    async def __call__(self, scope, receive, send):
        """hypercorn's way to have a request answered; `send` waits while enough is on its way."""
        if scope["type"] == "lifespan":
            return
        self.open += 1
        try:
            await self.respond(scope, receive, send)
        finally:
            self.open -= 1

    async def respond(self, scope, receive, send):
        """Reads a request to its end, and sends the answer unless the client is gone."""
        received = await discard_body(receive)
        if received is None:
            return
        environ = environ_of(scope, received)
        if self.replay is not None:
            recorded = self.replay.reply(request_of(environ), time.time())
            await asyncio.sleep(recorded.wait_ms / 1000)
        loop = asyncio.get_running_loop()
        status, headers, body = await loop.run_in_executor(self.threads, self.answer, environ)
        # Upgrades to web sockets are refused with what the site has, as any other request.
        prefix = "websocket.http" if scope["type"] == "websocket" else "http"
        try:
            await send({"type": f"{prefix}.response.start", "status": status, "headers": headers})
            for part in body:
                if scope["stream"].closed:
                    return
                message = {"type": f"{prefix}.response.body", "body": part, "more_body": True}
                await send(message)
            if not scope["stream"].closed:
                await send({"type": f"{prefix}.response.body", "body": b"", "more_body": False})
        finally:
            body.close()

    def answer(self, environ):
        """Status, headers and body, a WSGI iterable whose parts are yet to be read."""
        started = []
        body = self.app(
            environ, lambda status, headers, _error=None: started.append((status, headers))
        )
        [(status, headers)] = started
        encoded = [
            (name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers
        ]
        return int(status.partition(" ")[0]), encoded, body


async def discard_body(receive):
    """Throws a request's body away as it comes and counts its bytes; None: the client is gone."""
    received = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        received += len(message.get("body", b""))
        if not message.get("more_body"):
            return received


def environ_of(scope, received):
    """A request as WSGI has it, and as it was sent."""
    environ = environ_by_hypercorn({"method": "GET", **scope}, b"")
    cookies = [value.decode("latin-1") for name, value in scope["headers"] if name == b"cookie"]
    if cookies:
        environ["HTTP_COOKIE"] = "; ".join(cookies)
    return environ | {
        "RAW_URI": scope["raw_uri"],
        "wsgi.input": DiscardedBody(received),
        # Its end is where it says, with and without a content-length.
        "wsgi.input_terminated": True,
        # stdout is for the access log.
        "wsgi.errors": sys.stderr,
    }


def report_requests():
    """Has hypercorn hand on the URL as it was sent, and the stream, which knows whether its client is gone."""
    for stream in (HTTPStream, WSStream):
        stream.handle = with_report(stream.handle)


def with_report(handle):
    async def handle_and_report(self, event):
        await handle(self, event)
        # The application begins later: its task has been made, and nobody has waited since.
        if isinstance(event, Request) and hasattr(self, "scope"):
            self.scope["raw_uri"] = event.raw_path.decode("latin-1")
            self.scope["stream"] = self

    return handle_and_report
