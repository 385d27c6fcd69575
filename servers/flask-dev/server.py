"""Flask under Werkzeug's development server, by the contract in servers/README.md.

With HTTP/1.0 it does what such a server did in 2018 under Python 2.7: a connection for each request, closed right after the
answer, and a TLS context for each connection, so that none is resumed. It speaks no ALPN.
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
    """What Werkzeug reads a chunked body from.

    It counts what it asks for, and not what it gets: of a chunk of 2**60 bytes whose client is gone it would go on reading nothing
    for ever, at the expense of everybody else.
    """

    def __init__(self, stream):
        self.stream = stream
        self.readline = stream.readline

    def read(self, size):
        """So many bytes; OSError, as for other damage: the client has ended before."""
        data = self.stream.read(size)
        if len(data) < size:
            raise OSError("the body ended within a chunk")
        return data


class Handler(WSGIRequestHandler):
    """Answers the requests of one connection; with HTTP/1.0 there is one."""

    timeout = contract.KEEP_ALIVE_S
    # The body is written after the headers: with Nagle's algorithm it would wait for their acknowledgement, for 40 ms as a
    # rule, on a connection that is not closed at once.
    disable_nagle_algorithm = True

    def make_environ(self):
        environ = super().make_environ()
        # As it was sent: Python leaves a single slash of several that a path begins with.
        environ["RAW_URI"] = self.requestline.split()[1]
        if isinstance(environ["wsgi.input"], DechunkedInput):
            environ["wsgi.input"] = DechunkedInput(WholeReads(self.rfile))
        return environ

    def run_wsgi(self):
        """Like Werkzeug's own, which closes every connection, HTTP/1.1 too, and that only 10 ms after the answer."""
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
        """Without naming the server and without a second date: the contract has every stack send the same."""
        self.send_response_only(code, message)


class Server(ThreadedWSGIServer):
    """Werkzeug's server for one address; the handshake is made in the connection's thread, and holds up no other."""

    def __init__(self, listener, app, certs):
        super().__init__(listener.ip, listener.port, app, Handler, fd=listener.fileno())
        self.certs = certs
        self.certified_host = listener.host
        # Tells Werkzeug that this is TLS.
        self.ssl_context = self.new_context()

    def new_context(self):
        context = contract.tls_context(self.certs, self.certified_host)
        context.options |= ssl.OP_NO_TICKET
        context.num_tickets = 0
        return context

    def finish_request(self, request, client_address):
        """A context of its own for each connection: Python cannot switch off a context's memory of TLS 1.2 sessions."""
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
