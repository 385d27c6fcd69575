"""Flask under hypercorn by the contract in servers/README.md: over HTTP/3, HTTP/2, both at one address, or HTTP/1.1."""

import asyncio
import os
import signal
import socket
import ssl
import sys
from pathlib import Path

try:
    import flask  # noqa: F401
    from aioquic.asyncio import QuicConnectionProtocol
    from aioquic.quic.configuration import QuicConfiguration
    from aioquic.quic.connection import QuicConnection
    from aioquic.tls import CipherSuite
    from hypercorn.asyncio import serve
    from hypercorn.config import Config
except ImportError as missing:
    print(f"hypercorn: {missing}. Run: npm run setup -- --stacks hypercorn-h3", file=sys.stderr)
    raise SystemExit(127) from None

from importlib.metadata import version

sys.path.insert(0, str(Path(__file__).parents[1] / "flask"))

import contract  # noqa: E402
from application import THREADS, Application, report_requests  # noqa: E402
from connections import CONGESTION_CONTROLS, use_own_classes  # noqa: E402
from memory import release_memory  # noqa: E402
from recorded_site import DamagedSite, create_app, read_manifest  # noqa: E402
from replay import Replay  # noqa: E402

STACKS = {
    "2+3": ("hypercorn-dual", "h2+h3"),
    "3": ("hypercorn-h3", "h3"),
    "2": ("hypercorn-h2", "h2"),
    "1.1": ("hypercorn-h1", "http/1.1"),
}
# Kinds of socket by protocol. TCP comes first: if the port is 0, TCP chooses it for both.
KINDS = {
    "h2+h3": (socket.SOCK_STREAM, socket.SOCK_DGRAM),
    "h3": (socket.SOCK_DGRAM,),
    "h2": (socket.SOCK_STREAM,),
    "http/1.1": (socket.SOCK_STREAM,),
}
NO_LIMIT = 2**31


class AddressConfig(Config):
    """Configuration of one address; each has its own server, because hypercorn has one certificate."""

    loglevel = "WARNING"
    backlog = contract.BACKLOG
    keep_alive_timeout = contract.KEEP_ALIVE_S
    keep_alive_max_requests = NO_LIMIT
    # HTTP/2's limit.
    h11_max_incomplete_size = Config.h2_max_header_list_size

    def __init__(self, listener, certs):
        super().__init__()
        self.certfile = str(certs / f"{listener.host}.pem")
        self.keyfile = str(certs / f"{listener.host}.key")
        self.bind = []

    def response_headers(self, _protocol):
        """Omits hypercorn's name and date: by the contract all stacks send the same headers."""
        return []


class TcpConfig(AddressConfig):
    """An address over TLS and TCP."""

    def __init__(self, listener, certs, protocol):
        super().__init__(listener, certs)
        self.bind = [f"fd://{listener.fileno()}"]
        self.tls = contract.tls_context(certs, listener.host)
        self.tls.set_alpn_protocols([protocol])

    def create_ssl_context(self):
        return self.tls


class QuicConfig(AddressConfig):
    """An address over QUIC."""

    def __init__(self, listener, certs, congestion_control):
        super().__init__(listener, certs)
        self.quic_bind = [f"fd://{listener.fileno(socket.SOCK_DGRAM)}"]
        self.quic = QuicConfiguration(
            is_client=False,
            alpn_protocols=["h3"],
            congestion_control_algorithm=congestion_control,
            idle_timeout=contract.KEEP_ALIVE_S,
            # Begins with the browser's first choice, which aioquic ignores: its default prefers AES-256.
            cipher_suites=[
                CipherSuite.AES_128_GCM_SHA256,
                CipherSuite.AES_256_GCM_SHA384,
                CipherSuite.CHACHA20_POLY1305_SHA256,
            ],
        )
        self.quic.load_cert_chain(self.certfile, self.keyfile)
        self.first_transport = asyncio.get_running_loop().create_future()


async def serve_all(stack, protocol, arguments, application):
    """Answers on every address, each once, until the program ends."""
    asyncio.get_running_loop().set_exception_handler(report_errors)
    listeners = {(each.ip, each.port): each for each in arguments.listen}.values()
    spoken = protocol.split("+")
    tcp = [TcpConfig(on, arguments.certs, by) for by in spoken if by != "h3" for on in listeners]
    quic = [QuicConfig(on, arguments.certs, arguments.cc) for on in listeners if "h3" in spoken]
    libraries = ", ".join(library_of(each) for each in spoken)
    details = {
        "program": f"hypercorn {version('hypercorn')}",
        "library": f"Flask, {libraries}, up to {THREADS} threads",
    }
    async with asyncio.TaskGroup() as servers:
        for config in tcp + quic:
            servers.create_task(serve(application, config, shutdown_trigger=asyncio.Event().wait))
        if quic:
            details |= await first_transport(arguments.listen[0], quic[0])
        servers.create_task(release_memory(application))
        contract.print_ready(stack, protocol, arguments.listen, details)


def library_of(protocol):
    """The library that implements a protocol for hypercorn, with its version."""
    name = {"h3": "aioquic", "h2": "h2", "http/1.1": "h11"}[protocol]
    return f"{name} {version(name)}"


async def first_transport(listener, config):
    """Transport parameters of the first connection to an address, which the program makes itself."""
    configuration = QuicConfiguration(
        alpn_protocols=["h3"], server_name=listener.host, verify_mode=ssl.CERT_NONE
    )
    transport, client = await asyncio.get_running_loop().create_datagram_endpoint(
        lambda: QuicConnectionProtocol(QuicConnection(configuration=configuration)),
        family=socket.AF_INET,
    )
    client.connect((listener.ip, listener.port))
    await client.wait_connected()
    client.close()
    await client.wait_closed()
    transport.close()
    return await config.first_transport


def report_errors(loop, context):
    """Reports errors except failed TLS handshakes, which the client causes."""
    if not isinstance(context.get("exception"), ssl.SSLError):
        loop.default_exception_handler(context)


def main():
    parser = contract.argument_parser("hypercorn")
    parser.add_argument("--http", choices=list(STACKS), default="3")
    parser.add_argument("--cc", choices=list(CONGESTION_CONTROLS), default="cubic")
    arguments = parser.parse_args()
    stack, protocol = STACKS[arguments.http]
    # hypercorn would wait for its connections; when it is stopped, no browser waits for an answer.
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    try:
        app = create_app(arguments.site, "off", arguments.sub_resources)
        replay = None
        if arguments.think == "recorded":
            replay = Replay(read_manifest(arguments.site), arguments.sub_resources)
    except DamagedSite as damage:
        sys.exit(f"{stack}: {damage}")
    contract.bind(stack, arguments.listen, arguments.certs, KINDS[protocol])
    report_requests()
    use_own_classes()
    contract.stop_when_stdin_closes()
    asyncio.run(serve_all(stack, protocol, arguments, Application(app, replay)))


if __name__ == "__main__":
    main()
