"""Makes connections by libcurl, as clients/connector.ts asks for them; instants are those of libcurl's own clock, in microseconds."""

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

# What the callback for traces is handed (curl_infotype).
TEXT, TLS_RECEIVED = 0, 5
TLS_VERSIONS = {"tls1.2": 6, "tls1.3": 7}  # CURL_SSLVERSION_*; shifted it is the newest allowed (CURL_SSLVERSION_MAX_*)
HANDSHAKE_TYPES = range(1, 25)
# Of a connection; libcurl's words about a handshake and the head of an answer have some thousand characters.
MAX_TRACE_CHARACTERS = 1_000_000
# Each takes some hundred kilobytes.
KEPT_HANDLES = 32


class Trace:
    """What libcurl tells of a connection in words, and the messages of TLS; over QUIC it shows none of them."""

    def __init__(self, via):
        self.messages = HandshakeMessages(is_tls13=via == "tls1.3")
        self.text = ""

    def take(self, kind, data):
        if kind == TEXT:
            if len(self.text) < MAX_TRACE_CHARACTERS:
                self.text += data.decode(errors="replace")
        elif kind == TLS_RECEIVED and len(data) > 4 and data[0] in HANDSHAKE_TYPES:
            # Heads of records come too: these begin with 20 or more, and are of 5 bytes.
            if int.from_bytes(data[1:4], "big") == len(data) - 4:
                self.messages.take(data)

    @property
    def was_retried(self):
        return "retrying a fresh connect" in self.text

    def find(self, pattern):
        found = re.search(pattern, self.text, re.M)
        return found[1] if found else None


class Client:
    """Makes one connection after the other, each anew; keeps handles whose last connection may have brought a ticket."""

    def __init__(self):
        self._kept = {}

    def connect(self, asked):
        via, resumption = asked["via"], asked["resumption"]
        if resumption == "early-data":
            raise contract.unsupported("libcurl sends no early data with BoringSSL.")
        if via == "tcp" and (resumption != "none" or asked["request"]):
            raise contract.unsupported("TCP alone has neither tickets nor requests.")
        # libcurl keeps the tickets of a handle with it, and takes one only for the same host, port and trust.
        key = (via, asked["host"], asked["address"], asked["trust"])
        handle = self._kept.pop(key, None)
        if resumption == "none":
            if handle:
                handle.close()
            handle = Curl()
        elif handle is None:
            raise contract.no_ticket(asked["host"])
        connection = Connection(handle, asked)
        reported = connection.make()
        if not connection.may_have_ticket:
            handle.close()
            return reported
        self._kept[key] = handle
        if len(self._kept) > KEPT_HANDLES:
            self._kept.pop(next(iter(self._kept))).close()
        return reported


class Connection:
    """One connection of a handle."""

    def __init__(self, handle, asked):
        self._handle = handle
        self._request = asked
        self._trace = Trace(asked["via"])
        # libcurl reads no ticket without a request. Servers send theirs with the end of the handshake, before any answer.
        self._asks = bool(asked["request"]) or (asked["awaitsTicket"] and asked["via"] != "tcp")
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
        # What is closed later is not to be reported to a trace that is gone.
        self._handle.setopt(CurlOpt.VERBOSE, 0)
        self._offered = "SSL reusing session" in self._trace.text
        failure = self._failure(error)
        self.may_have_ticket = error is None and self._keeps_ticket()
        # Of which connection they would be cannot be reported.
        instants = {} if self._trace.was_retried else self._instants(is_whole=error is None)
        return contract.made(error=failure and failure.reported, facts=self._facts(), key_log=self._key_log, **instants)

    def _failure(self, error):
        if self._trace.was_retried:
            return refused_request()
        if error is not None:
            return failure_of(CurlECode(error.code).name, self._said(error), self._transport, self._reached(), self._request["timeoutMs"])
        if self._request["resumption"] == "ticket" and not self._offered:
            return contract.no_ticket(self._request["host"])
        return None

    def _said(self, error):
        """libcurl's own words: of a TCP connection that failed, the trace alone has the system's."""
        if CurlECode(error.code) is CurlECode.COULDNT_CONNECT and (system := self._trace.find(r"^(connect to .* failed: .*)$")):
            return system
        return re.sub(r"^Failed to perform, curl: \(\d+\) |\. See https://curl\.se/.*$", "", str(error))

    @property
    def _transport(self):
        return self._request["via"]

    def _set_options(self):
        asked, handle = self._request, self._handle
        ip, port = contract.address_of(asked)
        via = self._transport
        # A literal address of IPv6 has brackets in a URL.
        host = f"[{asked['host']}]" if ":" in asked["host"] else asked["host"]
        path = (asked["request"] or {"path": "/"})["path"]
        handle.setopt(CurlOpt.URL, f"{'http' if via == 'tcp' else 'https'}://{host}:{port}{path}")
        handle.setopt(CurlOpt.RESOLVE, [f"{host}:{port}:{f'[{ip}]' if ':' in ip else ip}"])
        handle.setopt(CurlOpt.HTTPHEADER, [f"Host: {asked['authority']}".encode()])
        handle.setopt(CurlOpt.PATH_AS_IS, 1)
        handle.setopt(CurlOpt.HTTP_VERSION, CurlHttpVersion.V3ONLY if via == "quic" else CurlHttpVersion.V2TLS)
        if via in TLS_VERSIONS:
            version = TLS_VERSIONS[via]
            handle.setopt(CurlOpt.SSLVERSION, version | version << 16)
        set_key_exchange(handle, asked)
        handle.setopt(CurlOpt.FRESH_CONNECT, 1)
        handle.setopt(CurlOpt.FORBID_REUSE, 1)
        handle.setopt(CurlOpt.CONNECT_ONLY, int(not self._asks))
        handle.setopt(CurlOpt.NOBODY, int(not asked["request"]))
        handle.setopt(CurlOpt.LOCALPORT, asked["localPort"] or 0)
        handle.setopt(CurlOpt.TIMEOUT_MS, asked["timeoutMs"])
        handle.setopt(CurlOpt.NOSIGNAL, 1)
        handle.setopt(CurlOpt.PROXY, "")
        self._set_trust(asked["trust"])
        handle.setopt(CurlOpt.WRITEFUNCTION, len)
        handle.setopt(CurlOpt.HEADERFUNCTION, self._take_header)
        # Being reported all this makes handshakes some 0.1 to 0.3 ms longer; nothing else tells what was agreed on.
        handle.setopt(CurlOpt.DEBUGFUNCTION, self._trace.take)
        handle.setopt(CurlOpt.VERBOSE, 1)

    def _set_trust(self, trust):
        checks = trust is not None
        self._handle.setopt(CurlOpt.SSL_VERIFYPEER, int(checks))
        self._handle.setopt(CurlOpt.SSL_VERIFYHOST, 2 if checks else 0)
        if checks and trust != "system":
            self._handle.setopt(CurlOpt.CAINFO, trust)
            # Else this machine's authorities are trusted too: no folder at all is not to be had.
            self._handle.setopt(CurlOpt.CAPATH, os.devnull)

    def _take_header(self, line):
        name, _, value = line.decode("latin-1").partition(":")
        if name.lower() == "alt-svc":
            self._alt_svc = value.strip()
        return len(line)

    def _instants(self, is_whole):
        secure = self._ms(CurlInfo.APPCONNECT_TIME_T)
        # With QUIC, libcurl's CONNECT is its first packet from the server, and no end of a handshake.
        tcp = None if self._transport == "quic" else self._ms(CurlInfo.CONNECT_TIME_T)
        ready = tcp if self._transport == "tcp" else secure
        instants = {"tcpMs": tcp, "maySendMs": ready, "completeMs": None if self._sends_early() else ready}
        if self._request["request"] and self._status():
            instants["firstByteMs"] = self._ms(CurlInfo.STARTTRANSFER_TIME_T)
            instants["totalMs"] = self._ms(CurlInfo.TOTAL_TIME_T) if is_whole else None
        return instants

    def _sends_early(self):
        """Whether requests leave before the server's last message: by False Start (RFC 7918), which this libcurl cannot do without."""
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
        # Over QUIC libcurl does not tell whether the server took the ticket.
        elif self._offered and facts["tlsVersion"]:
            facts["resumed"] = messages.certificate_chain_bytes is None
        if self._request["request"] and self._status():
            facts["status"] = self._status()
            facts["bodyBytes"] = self._handle.getinfo(CurlInfo.SIZE_DOWNLOAD_T)
            facts["altSvc"] = self._alt_svc
        return facts

    def _keeps_ticket(self):
        """libcurl uses a ticket of TLS 1.3 once, but would use one of TLS 1.2 again. Over QUIC it does not tell whether one came."""
        return self._asks if self._transport == "quic" else self._trace.messages.tickets > 0

    def _reached(self):
        """The layer that the connection is in, by what there was of it: after a failure libcurl's own times are zero."""
        if self._transport == "quic":
            if self._ms(CurlInfo.APPCONNECT_TIME_T):
                return "http"
            # With the server's first flight come its secrets.
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
