"""Makes connections by libcurl for clients/connector.ts. Times are libcurl's own, in microseconds."""

import os
import re
import sys
from pathlib import Path

import key_log

from curl_cffi import Curl, CurlECode, CurlError, CurlHttpVersion, CurlInfo, CurlOpt  # noqa: E402

sys.path.insert(0, str(Path(__file__).parents[1] / "python"))

import contract  # noqa: E402
from failures import failure_of, refused_request  # noqa: E402
from handshake_messages import HandshakeMessages  # noqa: E402
from key_exchange import set_key_exchange  # noqa: E402

# Kinds of data that the debug callback receives (curl_infotype).
TEXT, TLS_RECEIVED = 0, 5
TLS_VERSIONS = {"tls1.2": 6, "tls1.3": 7}  # CURL_SSLVERSION_*; shifted left by 16 bits: the maximum version (CURL_SSLVERSION_MAX_*)
HANDSHAKE_TYPES = range(1, 25)
# Limit per connection. libcurl's text about a handshake and the response headers has some thousand characters.
MAX_TRACE_CHARACTERS = 1_000_000
# A handle takes some hundred kilobytes.
KEPT_HANDLES = 32


class Trace:
    """libcurl's debug text and TLS messages of one connection; over QUIC libcurl shows no TLS messages."""

    def __init__(self, transport):
        self.messages = HandshakeMessages(is_tls13=transport == "tls1.3")
        self.text = ""

    def take(self, kind, data):
        if kind == TEXT:
            if len(self.text) < MAX_TRACE_CHARACTERS:
                self.text += data.decode(errors="replace")
        elif kind == TLS_RECEIVED and len(data) > 4 and data[0] in HANDSHAKE_TYPES:
            # Skips record headers, which have 5 bytes and begin with 20 or more.
            if int.from_bytes(data[1:4], "big") == len(data) - 4:
                self.messages.take(data)

    @property
    def was_retried(self):
        return "retrying a fresh connect" in self.text

    def find(self, pattern):
        found = re.search(pattern, self.text, re.M)
        return found[1] if found else None


class Client:
    """Makes one new connection at a time; keeps handles whose last connection may have received a ticket."""

    def __init__(self):
        self._kept = {}

    def connect(self, request):
        transport, resumption = request["transport"], request["resumption"]
        if resumption == "early-data":
            raise contract.unsupported("libcurl sends no early data with BoringSSL.")
        if transport == "tcp" and (resumption != "none" or request["request"]):
            raise contract.unsupported("TCP alone has neither tickets nor requests.")
        # libcurl keeps tickets in the handle, and uses them only for the same host, port and trust.
        key = (transport, request["host"], request["address"], request["trust"])
        handle = self._kept.pop(key, None)
        if resumption == "none":
            if handle:
                handle.close()
            handle = Curl()
        elif handle is None:
            raise contract.no_ticket(request["host"])
        connection = Connection(handle, request)
        reported = connection.make()
        if not connection.may_have_ticket:
            handle.close()
            return reported
        self._kept[key] = handle
        if len(self._kept) > KEPT_HANDLES:
            self._kept.pop(next(iter(self._kept))).close()
        return reported


class Connection:

    def __init__(self, handle, request):
        self._handle = handle
        self._request = request
        self._trace = Trace(request["transport"])
        # libcurl reads tickets only after a request. Servers send them at the end of the handshake, before the response.
        self._sends_request = bool(request["request"]) or (request["awaitsTicket"] and request["transport"] != "tcp")
        self._alt_svc = None
        self._key_log = ""

    def make(self):
        self._set_options()
        error = None
        try:
            self._handle.perform()
        except CurlError as failed:
            error = failed
        self._key_log = key_log.taken()
        # A later close must not report to this trace.
        self._handle.setopt(CurlOpt.VERBOSE, 0)
        self._offered = "SSL reusing session" in self._trace.text
        failure = self._failure(error)
        self.may_have_ticket = error is None and self._keeps_ticket()
        # After a retry, libcurl does not say which connection its times belong to.
        times = {} if self._trace.was_retried else self._times(is_whole=error is None)
        return contract.made(error=failure and failure.reported, facts=self._facts(), key_log=self._key_log, **times)

    def _failure(self, error):
        if self._trace.was_retried:
            return refused_request()
        if error is not None:
            return failure_of(CurlECode(error.code).name, self._said(error), self._transport, self._reached(), self._request["timeoutMs"])
        if self._request["resumption"] == "ticket" and not self._offered:
            return contract.no_ticket(self._request["host"])
        return None

    def _said(self, error):
        """libcurl's error text. For a failed TCP connection only the trace has the system's error."""
        if CurlECode(error.code) is CurlECode.COULDNT_CONNECT and (system := self._trace.find(r"^(connect to .* failed: .*)$")):
            return system
        return re.sub(r"^Failed to perform, curl: \(\d+\) |\. See https://curl\.se/.*$", "", str(error))

    @property
    def _transport(self):
        return self._request["transport"]

    def _set_options(self):
        request, handle = self._request, self._handle
        ip, port = contract.address_of(request)
        transport = self._transport
        # URLs put IPv6 addresses in brackets.
        host = f"[{request['host']}]" if ":" in request["host"] else request["host"]
        path = (request["request"] or {"path": "/"})["path"]
        handle.setopt(CurlOpt.URL, f"{'http' if transport == 'tcp' else 'https'}://{host}:{port}{path}")
        handle.setopt(CurlOpt.RESOLVE, [f"{host}:{port}:{f'[{ip}]' if ':' in ip else ip}"])
        handle.setopt(CurlOpt.HTTPHEADER, [f"Host: {request['authority']}".encode()])
        handle.setopt(CurlOpt.PATH_AS_IS, 1)
        handle.setopt(CurlOpt.HTTP_VERSION, CurlHttpVersion.V3ONLY if transport == "quic" else CurlHttpVersion.V2TLS)
        if transport in TLS_VERSIONS:
            version = TLS_VERSIONS[transport]
            handle.setopt(CurlOpt.SSLVERSION, version | version << 16)
        set_key_exchange(handle, request)
        handle.setopt(CurlOpt.FRESH_CONNECT, 1)
        handle.setopt(CurlOpt.FORBID_REUSE, 1)
        handle.setopt(CurlOpt.CONNECT_ONLY, int(not self._sends_request))
        handle.setopt(CurlOpt.NOBODY, int(not request["request"]))
        handle.setopt(CurlOpt.LOCALPORT, request["localPort"] or 0)
        handle.setopt(CurlOpt.TIMEOUT_MS, request["timeoutMs"])
        handle.setopt(CurlOpt.NOSIGNAL, 1)
        handle.setopt(CurlOpt.PROXY, "")
        self._set_trust(request["trust"])
        handle.setopt(CurlOpt.WRITEFUNCTION, len)
        handle.setopt(CurlOpt.HEADERFUNCTION, self._take_header)
        # The debug callback makes handshakes 0.1 to 0.3 ms longer, but only it reports the negotiated parameters.
        handle.setopt(CurlOpt.DEBUGFUNCTION, self._trace.take)
        handle.setopt(CurlOpt.VERBOSE, 1)

    def _set_trust(self, trust):
        checks = trust is not None
        self._handle.setopt(CurlOpt.SSL_VERIFYPEER, int(checks))
        self._handle.setopt(CurlOpt.SSL_VERIFYHOST, 2 if checks else 0)
        if checks and trust != "system":
            self._handle.setopt(CurlOpt.CAINFO, trust)
            # Keeps libcurl from trusting this machine's authorities too; CAPATH cannot be unset.
            self._handle.setopt(CurlOpt.CAPATH, os.devnull)

    def _take_header(self, line):
        name, _, value = line.decode("latin-1").partition(":")
        if name.lower() == "alt-svc":
            self._alt_svc = value.strip()
        return len(line)

    def _times(self, is_whole):
        secure = self._ms(CurlInfo.APPCONNECT_TIME_T)
        # With QUIC, CONNECT_TIME is libcurl's first packet from the server, not the end of a handshake.
        tcp = None if self._transport == "quic" else self._ms(CurlInfo.CONNECT_TIME_T)
        ready = tcp if self._transport == "tcp" else secure
        times = {"tcpMs": tcp, "maySendMs": ready, "completeMs": None if self._sends_early() else ready}
        if self._request["request"] and self._status():
            times["firstByteMs"] = self._ms(CurlInfo.STARTTRANSFER_TIME_T)
            times["totalMs"] = self._ms(CurlInfo.TOTAL_TIME_T) if is_whole else None
        return times

    def _sends_early(self):
        """Whether requests leave before the server's last message, by False Start (RFC 7918), which this libcurl cannot disable."""
        return self._transport == "tls1.2" and self._trace.messages.certificate_chain_bytes is not None

    def _facts(self):
        trace, messages = self._trace, self._trace.messages
        facts = {
            "tlsVersion": _tls_version(trace.find(r"SSL connection using (TLSv[\d.]+)")),
            "cipher": messages.cipher or trace.find(r"SSL connection using TLSv1\.3 / (TLS_\w+)"),
            "group": messages.group,
            "alpn": trace.find(r"ALPN: server accepted (\S+)"),
            "certificateChainBytes": messages.certificate_chain_bytes,
        }
        if self._transport == "quic":
            facts["alpn"] = "h3" if facts["tlsVersion"] else None
        # Over QUIC libcurl does not report whether the server accepted the ticket.
        elif self._offered and facts["tlsVersion"]:
            facts["resumed"] = messages.certificate_chain_bytes is None
        if self._request["request"] and self._status():
            facts["status"] = self._status()
            facts["bodyBytes"] = self._handle.getinfo(CurlInfo.SIZE_DOWNLOAD_T)
            facts["altSvc"] = self._alt_svc
        return facts

    def _keeps_ticket(self):
        """Whether the handle may hold a ticket. libcurl uses one of TLS 1.3 once, but would reuse one of TLS 1.2; over QUIC
        it reports none."""
        return self._sends_request if self._transport == "quic" else self._trace.messages.tickets > 0

    def _reached(self):
        """The layer that the connection reached. After a failure libcurl's own times are zero, so trace and key log decide."""
        if self._transport == "quic":
            if self._ms(CurlInfo.APPCONNECT_TIME_T):
                return "http"
            # Handshake secrets appear with the server's first flight.
            return "quic" if "HANDSHAKE_TRAFFIC_SECRET" in self._key_log else "udp"
        if self._ms(CurlInfo.APPCONNECT_TIME_T):
            return "http"
        return "tls" if "ALPN: curl offers" in self._trace.text else "tcp"

    def _status(self):
        return self._handle.getinfo(CurlInfo.RESPONSE_CODE) or None

    def _ms(self, info):
        microseconds = self._handle.getinfo(info)
        return microseconds / 1000 if microseconds else None


def _tls_version(text):
    return text and text.replace("v", " ")


if __name__ == "__main__":
    contract.serve(Client().connect)
