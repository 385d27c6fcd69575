"""Flask under gunicorn: HTTP/1.1 with keep-alive over TLS, by the contract in servers/README.md."""

import argparse
import json
import os
import signal
import socket
import ssl
import sys
import threading
from pathlib import Path

try:
    import gunicorn
    from gunicorn import util as gunicorn_util
    from gunicorn.app.base import BaseApplication
    from gunicorn.http.wsgi import Response as GunicornResponse
except ImportError as missing:
    print(f"flask-h1: {missing}. Run: npm run setup", file=sys.stderr)
    raise SystemExit(127) from None

from recorded_site import DamagedSite, create_app

# A thread waits on every connection that is open but has not asked for anything yet, and Chromium opens some to spare.
# Its limit is 256 sockets: with fewer threads than that a page of many hosts can come to a standstill.
THREADS = 256
# Longer than any page load: an idle connection is never closed under the browser.
KEEP_ALIVE_S = 75
BACKLOG = 2048
# Told to stop means that no browser waits for an answer any more.
GRACEFUL_TIMEOUT_S = 0


class Listener:
    """One --listen HOST=IP:PORT; several may share an address."""

    def __init__(self, text):
        self.host, equals, self.address = text.partition("=")
        self.ip, colon, port = self.address.partition(":")
        if not equals or not colon or not port.isdigit():
            raise argparse.ArgumentTypeError(f"{text}: expected HOST=IP:PORT")
        self.port = int(port)

    def bind(self):
        """Takes the address at once; gunicorn by itself would try five times, a second apart."""
        try:
            self.socket = socket.create_server((self.ip, self.port), backlog=BACKLOG)
        except OSError as error:
            sys.exit(f"flask-h1: cannot listen on {self.address} for {self.host}: {error.strerror}")
        self.port = self.socket.getsockname()[1]

    def share(self, other):
        """Answers where another host is answered already."""
        self.socket = other.socket
        self.port = other.port


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
            "backlog": BACKLOG,
            "workers": 1,
            "worker_class": "gthread",
            "threads": THREADS,
            "keepalive": KEEP_ALIVE_S,
            "graceful_timeout": GRACEFUL_TIMEOUT_S,
            "loglevel": "warning",
            "certfile": str(self.certs / f"{self.listeners[0].host}.pem"),
            "keyfile": str(self.certs / f"{self.listeners[0].host}.key"),
            # gunicorn asks for it again at every connection.
            "ssl_context": lambda _config, _factory: tls_context,
            "post_worker_init": lambda _worker: self.print_ready(),
        }
        for name, value in options.items():
            self.cfg.set(name, value)

    def load(self):
        return self.app

    def socket_numbers(self):
        """The file descriptors of the listening sockets, each once."""
        return dict.fromkeys(listener.socket.fileno() for listener in self.listeners)

    def tls_context(self):
        """A TLS context that shows each host its own certificate."""
        contexts = {listener.host: self.context_of(listener.host) for listener in self.listeners}
        first = contexts[self.listeners[0].host]

        def choose(connection, host, _context):
            connection.context = contexts.get(host, first)

        first.sni_callback = choose
        return first

    def context_of(self, host):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certs / f"{host}.pem", self.certs / f"{host}.key")
        context.set_alpn_protocols(["http/1.1"])
        # The browser's choice of cipher, as with the other stacks; Python's own would be AES-256.
        context.options &= ~ssl.OP_CIPHER_SERVER_PREFERENCE
        return context

    def print_ready(self):
        """The contract's ready line, from the worker: only now are requests answered at once."""
        origins = {each.host: f"{each.ip}:{each.port}" for each in self.listeners}
        details = {
            "program": f"gunicorn {gunicorn.__version__}",
            "language": "Python",
            "library": f"Flask, gthread, {THREADS} threads",
            "python": sys.version.split()[0],
        }
        ready = {
            "ready": True,
            "stack": "flask-h1",
            "protocol": "http/1.1",
            "origins": origins,
            "details": details,
        }
        os.write(1, (json.dumps(ready) + "\n").encode())


def bind(listeners, certs):
    """Takes every address; hosts that name the same one share it, except with port 0, which asks for a free one each."""
    bound = {}
    for listener in listeners:
        first = bound.get(listener.address)
        if first is None or listener.port == 0:
            bound[listener.address] = listener
            listener.bind()
            continue
        mine, others = ((certs / f"{each.host}.pem").read_bytes() for each in (listener, first))
        if mine != others:
            sys.exit(
                f"flask-h1: --listen {listener.host}={listener.address}: shares its address with {first.host}, "
                f"so {listener.host}.pem has to be the same as {first.host}.pem in {certs}"
            )
        listener.share(first)


def send_no_headers_of_its_own():
    """gunicorn names itself and adds a date; the contract has every stack send the same, and one date."""
    # Without this it drops the date that is given to it, by which expiry dates are reckoned.
    gunicorn_util.hop_headers.discard("date")
    default_headers = GunicornResponse.default_headers

    def fewer(self):
        own = ("Server:", "Date:")
        return [line for line in default_headers(self) if not line.startswith(own)]

    GunicornResponse.default_headers = fewer


def stop_when_stdin_closes():
    """Ends the server when whoever started it is gone."""

    def wait():
        while os.read(0, 4096):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, daemon=True).start()


def main():
    parser = argparse.ArgumentParser(prog="flask-h1")
    parser.add_argument("--site", type=Path, required=True)
    parser.add_argument("--certs", type=Path, required=True)
    parser.add_argument("--listen", type=Listener, action="append", required=True)
    parser.add_argument("--think", choices=["off", "recorded"], default="off")
    arguments = parser.parse_args()
    try:
        app = create_app(arguments.site, arguments.think)
    except DamagedSite as damage:
        sys.exit(f"flask-h1: {damage}")
    bind(arguments.listen, arguments.certs)
    send_no_headers_of_its_own()
    stop_when_stdin_closes()
    Server(app, arguments.listen, arguments.certs).run()


if __name__ == "__main__":
    main()
