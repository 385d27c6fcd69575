"""Flask under Werkzeug's development server, by the contract in servers/README.md.

With HTTP/1.0 it behaves like such a server of 2018 under Python 2.7: one connection per request, closed right after the
answer, and one TLS context per connection, so that no session is resumed. It has no ALPN.
"""

import os
import signal
import ssl
import sys
import threading
from pathlib import Path

try:
    import flask  # noqa: F401
    from werkzeug.serving import DechunkedInput, ThreadedWSGIServer, WSGIRequestHandler
except ImportError as missing:
    print(f"flask-dev: {missing}. Run: npm run setup", file=sys.stderr)
    raise SystemExit(127) from None

from importlib.metadata import version

sys.path.insert(0, str(Path(__file__).parents[1] / "flask"))

import contract  # noqa: E402
from recorded_site import DamagedSite, create_app  # noqa: E402

STACKS = {"1.0": "flask-dev", "1.1": "flask-dev-h1"}


class WholeReads:
    """The source of a chunked body for Werkzeug.

    Werkzeug counts the bytes requested, not the bytes received: if the client ended within a chunk of 2**60 bytes, it would
    read nothing forever, and slow down all other requests.
    """

    def __init__(self, stream):
        self.stream = stream
        self.readline = stream.readline

    def read(self, size):
        """`size` bytes; OSError, as for any damage, if the client ended earlier."""
        data = self.stream.read(size)
        if len(data) < size:
            raise OSError("the body ended within a chunk")
        return data


class Handler(WSGIRequestHandler):
    """Answers the requests of one connection; with HTTP/1.0 there is one."""

    timeout = contract.KEEP_ALIVE_S
    # The body is written after the headers: with Nagle's algorithm it would usually wait 40 ms for their
    # acknowledgement, on a connection that is not closed at once.
    disable_nagle_algorithm = True

    def make_environ(self):
        environ = super().make_environ()
        # The undecoded path: Python joins several slashes at its beginning.
        environ["RAW_URI"] = self.requestline.split()[1]
        if isinstance(environ["wsgi.input"], DechunkedInput):
            environ["wsgi.input"] = DechunkedInput(WholeReads(self.rfile))
        return environ

    def run_wsgi(self):
        """Replaces Werkzeug's, which closes every connection (also of HTTP/1.1), and only 10 ms after the answer."""
        self.environ = self.make_environ()
        body = self.server.app(self.environ, self.start_response)
        self.end_headers()
        for part in filter(None, body):
            self.wfile.write(part)

    def start_response(self, status, headers, _error=None):
        code, _, phrase = status.partition(" ")
        self.send_response(int(code), phrase)
        for name, value in headers:
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("connection", "close")

    def send_response(self, code, message=None):
        """Omits server name and second date: by the contract all stacks send the same headers."""
        self.send_response_only(code, message)


class Server(ThreadedWSGIServer):
    """Werkzeug's server for one address; each handshake is made in its connection's thread, without delaying the rest."""

    def __init__(self, listener, app, certs):
        super().__init__(listener.ip, listener.port, app, Handler, fd=listener.fileno())
        self.certs = certs
        self.certified_host = listener.host
        # Marks the server as TLS for Werkzeug.
        self.ssl_context = self.new_context()

    def new_context(self):
        context = contract.tls_context(self.certs, self.certified_host)
        context.options |= ssl.OP_NO_TICKET
        context.num_tickets = 0
        return context

    def finish_request(self, request, client_address):
        """Uses a context per connection: Python cannot turn off a context's memory of TLS 1.2 sessions."""
        options = {"server_side": True, "do_handshake_on_connect": False}
        with self.new_context().wrap_socket(request, **options) as connection:
            super().finish_request(connection, client_address)


def serve(listeners, app, certs):
    """Answers on every address, each once, in threads that end with the program."""
    for listener in {each.fileno(): each for each in listeners}.values():
        server = Server(listener, app, certs)
        threading.Thread(target=server.serve_forever, daemon=True).start()


def main():
    parser = contract.argument_parser("flask-dev")
    parser.add_argument("--http", choices=list(STACKS), default="1.0")
    parser.add_argument("--document", choices=["recorded", "as-saved"], default="recorded")
    arguments = parser.parse_args()
    stack = STACKS[arguments.http]
    Handler.protocol_version = f"HTTP/{arguments.http}"
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    try:
        app = create_app(
            arguments.site, arguments.think, arguments.sub_resources, arguments.document
        )
    except DamagedSite as damage:
        sys.exit(f"{stack}: {damage}")
    contract.bind(stack, arguments.listen, arguments.certs)
    serve(arguments.listen, app, arguments.certs)
    details = {
        "program": f"Werkzeug {version('werkzeug')}",
        "library": "Flask, a thread for each connection",
    }
    contract.print_ready(stack, f"http/{arguments.http}", arguments.listen, details)
    contract.stop_when_stdin_closes()
    threading.Event().wait()


if __name__ == "__main__":
    main()
