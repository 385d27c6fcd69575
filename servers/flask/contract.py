"""Common part of the Python stacks for the contract in servers/README.md: arguments, addresses, certificates, ready line."""

import argparse
import json
import os
import signal
import socket
import ssl
import sys
import threading
from pathlib import Path

BACKLOG = 2048
# Longer than any page load: an idle connection is never closed under the browser.
KEEP_ALIVE_S = 75


class Listener:
    """One --listen HOST=IP:PORT; several may share an address."""

    def __init__(self, text):
        self.host, equals, self.address = text.partition("=")
        self.ip, colon, port = self.address.partition(":")
        if not equals or not colon or not port.isdigit():
            raise argparse.ArgumentTypeError(f"{text}: expected HOST=IP:PORT")
        self.port = int(port)

    def bind(self, kinds):
        """Binds the address at once, once per kind of socket; gunicorn would try five times, a second apart."""
        self.sockets = {}
        for kind in kinds:
            if kind == socket.SOCK_STREAM:
                bound = socket.create_server((self.ip, self.port), backlog=BACKLOG)
            else:
                bound = socket.socket(socket.AF_INET, kind)
                bound.bind((self.ip, self.port))
            self.sockets[kind] = bound
            self.port = bound.getsockname()[1]

    def share(self, other):
        """Shares the sockets of another host."""
        self.sockets = other.sockets
        self.port = other.port

    def fileno(self, kind=socket.SOCK_STREAM):
        """The file descriptor of the listener's socket of a kind."""
        return self.sockets[kind].fileno()


def argument_parser(stack):
    """The arguments of every stack."""
    parser = argparse.ArgumentParser(prog=stack)
    parser.add_argument("--site", type=Path, required=True)
    parser.add_argument("--certs", type=Path, required=True)
    parser.add_argument("--listen", type=Listener, action="append", required=True)
    parser.add_argument("--think", choices=["off", "recorded"], default="off")
    parser.add_argument("--sub-resources", choices=["served", "missing"], default="served")
    return parser


def bind(stack, listeners, certs, kinds=(socket.SOCK_STREAM,)):
    """Binds all addresses: hosts with the same address share it, except with port 0, which stands for any free port."""
    bound = {}
    for listener in listeners:
        first = bound.get(listener.address)
        if first is None or listener.port == 0:
            bound[listener.address] = listener
            try:
                listener.bind(kinds)
            except OSError as error:
                place = f"{listener.address} for {listener.host}"
                sys.exit(f"{stack}: cannot listen on {place}: {error.strerror}")
            continue
        mine, shared = ((certs / f"{each.host}.pem").read_bytes() for each in (listener, first))
        if mine != shared:
            sys.exit(
                f"{stack}: --listen {listener.host}={listener.address}: shares its address with {first.host}, "
                f"so {listener.host}.pem has to be the same as {first.host}.pem in {certs}"
            )
        listener.share(first)


def tls_context(certs, host):
    """A TLS context with the certificate of a host."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certs / f"{host}.pem", certs / f"{host}.key")
    # The browser's choice of cipher, as in the other stacks; Python would choose AES-256.
    context.options &= ~ssl.OP_CIPHER_SERVER_PREFERENCE
    # X25519, as in the other stacks. Older versions of OpenSSL do not prefer X25519MLKEM768, and
    # Debian 12's Python cannot set the group.
    if ssl.OPENSSL_VERSION_INFO >= (3, 5):
        context.set_ecdh_curve("X25519")
    return context


def print_ready(stack, protocol, listeners, details):
    """The contract's ready line."""
    ready = {
        "ready": True,
        "stack": stack,
        "protocol": protocol,
        "origins": {each.host: f"{each.ip}:{each.port}" for each in listeners},
        "details": {"language": "Python", "python": sys.version.split()[0], **details},
    }
    os.write(1, (json.dumps(ready) + "\n").encode())


def stop_when_stdin_closes():
    """Ends the server when its parent has ended."""

    def wait():
        while os.read(0, 4096):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, daemon=True).start()
