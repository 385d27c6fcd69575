"""Adapts the Flask application to hypercorn.

hypercorn's own adapter keeps a request's whole body in memory, joins cookies by a comma, and hides the undecoded
URL.
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

# Threads read files and match requests, which never blocks for long.
THREADS = 16


class DiscardedBody(RawIOBase):
    """A discarded request body, of which only the length matters."""

    def __init__(self, length):
        self.left = length

    def read(self, size):
        piece = bytes(min(size, self.left))
        self.left -= len(piece)
        return piece


class Application:
    """Answers requests by a WSGI application in threads, which neither slow clients nor delayed answers occupy.

    `replay` has the delay of each answer; None: no delay.
    """

    def __init__(self, app, replay):
        self.app = app
        self.replay = replay
        self.threads = ThreadPoolExecutor(THREADS)
        # Requests being answered.
        self.open = 0

    async def __call__(self, scope, receive, send):
        """Called by hypercorn for a request; `send` waits while enough data is in flight."""
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
        # Upgrades to web sockets get the site's answer, like any other request.
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
        """Status, headers and body, a WSGI iterable."""
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
    """Discards a request's body as it arrives, and counts its bytes; None: the client is gone."""
    received = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        received += len(message.get("body", b""))
        if not message.get("more_body"):
            return received


def environ_of(scope, received):
    """A request in WSGI's format, with its undecoded URL."""
    environ = environ_by_hypercorn({"method": "GET", **scope}, b"")
    cookies = [value.decode("latin-1") for name, value in scope["headers"] if name == b"cookie"]
    if cookies:
        environ["HTTP_COOKIE"] = "; ".join(cookies)
    return environ | {
        "RAW_URI": scope["raw_uri"],
        "wsgi.input": DiscardedBody(received),
        # The input ends by itself, with and without a content-length.
        "wsgi.input_terminated": True,
        # stdout is for the access log.
        "wsgi.errors": sys.stderr,
    }


def report_requests():
    """Makes hypercorn pass on the undecoded URL, and the stream, which knows whether its client is gone."""
    for stream in (HTTPStream, WSStream):
        stream.handle = with_report(stream.handle)


def with_report(handle):
    async def handle_and_report(self, event):
        await handle(self, event)
        # The application's task exists, but has not run yet.
        if isinstance(event, Request) and hasattr(self, "scope"):
            self.scope["raw_uri"] = event.raw_path.decode("latin-1")
            self.scope["stream"] = self

    return handle_and_report
