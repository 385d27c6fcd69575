"""Flask under gunicorn: HTTP/1.1 with keep-alive over TLS, by the contract in servers/README.md."""

import sys
from pathlib import Path

try:
    import gunicorn
    from gunicorn import util as gunicorn_util
    from gunicorn.app.base import BaseApplication
    from gunicorn.http.wsgi import Response as GunicornResponse
except ImportError as missing:
    print(f"flask-h1: {missing}. Run: npm run setup", file=sys.stderr)
    raise SystemExit(127) from None

sys.path.insert(0, str(Path(__file__).parents[1] / "flask"))

import contract  # noqa: E402
from recorded_site import DamagedSite, create_app  # noqa: E402

# An open connection without a request occupies a thread, and Chromium opens some in advance.
# Its limit is 256 sockets: with fewer threads a page of many hosts can come to a standstill.
THREADS = 256
# When it is stopped, no browser waits for an answer.
GRACEFUL_TIMEOUT_S = 0


class Server(BaseApplication):
    """gunicorn with one threaded worker that serves the recorded site."""

    def __init__(self, app, listeners, certs):
        self.app = app
        self.listeners = listeners
        self.certs = certs
        super().__init__()

    def load_config(self):
        tls_context = self.tls_context()
        options = {
            "bind": [f"fd://{number}" for number in self.socket_numbers()],
            "backlog": contract.BACKLOG,
            "workers": 1,
            "worker_class": "gthread",
            "threads": THREADS,
            "keepalive": contract.KEEP_ALIVE_S,
            # By default gunicorn rejects URLs over 4 kB and cookies over 8 kB. 0: no limit, which headers cannot have.
            "limit_request_line": 0,
            "limit_request_field_size": 262_144,
            "graceful_timeout": GRACEFUL_TIMEOUT_S,
            "loglevel": "warning",
            "certfile": str(self.certs / f"{self.listeners[0].host}.pem"),
            "keyfile": str(self.certs / f"{self.listeners[0].host}.key"),
            # Called by gunicorn for every connection.
            "ssl_context": lambda _config, _factory: tls_context,
            "post_worker_init": lambda _worker: self.print_ready(),
        }
        for name, value in options.items():
            self.cfg.set(name, value)

    def load(self):
        return self.app

    def socket_numbers(self):
        """The file descriptors of the listening sockets, each once."""
        return dict.fromkeys(listener.fileno() for listener in self.listeners)

    def tls_context(self):
        """A TLS context with each host's own certificate."""
        contexts = {listener.host: self.context_of(listener.host) for listener in self.listeners}
        first = contexts[self.listeners[0].host]

        def choose(connection, host, _context):
            connection.context = contexts.get(host, first)

        first.sni_callback = choose
        return first

    def context_of(self, host):
        context = contract.tls_context(self.certs, host)
        context.set_alpn_protocols(["http/1.1"])
        return context

    def print_ready(self):
        """Called in the worker, when it answers requests."""
        details = {
            "program": f"gunicorn {gunicorn.__version__}",
            "library": f"Flask, gthread, {THREADS} threads",
        }
        contract.print_ready("flask-h1", "http/1.1", self.listeners, details)


def send_no_headers_of_its_own():
    """Keeps gunicorn from adding its name and a date: by the contract all stacks send the same headers."""
    # gunicorn would drop the given date, on which expiry dates depend.
    gunicorn_util.hop_headers.discard("date")
    default_headers = GunicornResponse.default_headers

    def fewer(self):
        own = ("Server:", "Date:")
        return [line for line in default_headers(self) if not line.startswith(own)]

    GunicornResponse.default_headers = fewer


def main():
    arguments = contract.argument_parser("flask-h1").parse_args()
    try:
        app = create_app(arguments.site, arguments.think, arguments.sub_resources)
    except DamagedSite as damage:
        sys.exit(f"flask-h1: {damage}")
    contract.bind("flask-h1", arguments.listen, arguments.certs)
    send_no_headers_of_its_own()
    contract.stop_when_stdin_closes()
    Server(app, arguments.listen, arguments.certs).run()


if __name__ == "__main__":
    main()
