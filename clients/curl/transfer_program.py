"""Carries out transfers by libcurl for clients/transfer-client.ts. One multi handle runs all parts of a transfer, as streams
of one connection if the protocol has streams."""

import json
import sys
import time
from pathlib import Path

import key_log

from curl_cffi import Curl, CurlECode, CurlError, CurlHttpVersion, CurlInfo, CurlOpt
from curl_cffi._wrapper import ffi, lib

sys.path.insert(0, str(Path(__file__).parents[1] / "python"))

import contract  # noqa: E402
from key_exchange import set_key_exchange  # noqa: E402

STEP_S = 0.1
PIECE_BYTES = 64 * 1024
PIECE = b"q" * PIECE_BYTES
DONE = 1  # CURLMSG_DONE
TLS13_ONLY = 7 | 7 << 16  # CURL_SSLVERSION_TLSv1_3 as the oldest and the newest
# Protocol to the version to request, and the version that libcurl reports (CURL_HTTP_VERSION_*).
VERSIONS = {
    "h3": (CurlHttpVersion.V3ONLY, 30),
    "h2": (CurlHttpVersion.V2TLS, 3),
    "http/1.1": (CurlHttpVersion.V1_1, 2),
    "http/1.0": (CurlHttpVersion.V1_0, 1),
}

# Identifiers of HTTP/2 settings (RFC 9113, 6.5.2).
ENABLE_PUSH, INITIAL_WINDOW_SIZE = 2, 4

# Errors that mean a truncated body; all other errors after the handshake are the client's.
CUT_OFF = {"PARTIAL_FILE", "GOT_NOTHING", "RECV_ERROR", "SEND_ERROR", "HTTP2", "HTTP2_STREAM", "HTTP3", "SSL_SHUTDOWN_FAILED", "READ_ERROR"}


class TransferFailure(Exception):
    """Why a transfer failed: a code of clients/transfer-client.ts, and a sentence."""

    def __init__(self, code, reason):
        super().__init__(reason)
        self.reported = {"code": code, "reason": reason}


class Transfer:
    """One transfer in progress. Times are in seconds of the monotonic clock."""

    def __init__(self, request):
        self.request = request
        self._begun = time.monotonic()
        self._connect_ms = None
        self._first_byte_ms = None
        self._last_byte_ms = None
        self._body_bytes = 0
        self._series = []

    def took(self, count):
        """Counts body bytes received or handed over for sending."""
        if count == 0:
            return
        at_ms = self._elapsed_ms()
        if self._first_byte_ms is None:
            self._first_byte_ms = at_ms
        self._body_bytes += count
        if self.request["direction"] == "download":
            self._last_byte_ms = at_ms

    def made(self):
        """Carries out the transfer; returns a TransferResult."""
        parts = [Part(part, self) for part in self.request["parts"]]
        error = None
        multi = lib.curl_multi_init()
        try:
            for part in parts:
                lib.curl_multi_add_handle(multi, part.handle._curl)
            self._carry_out(multi, parts)
            # An empty body ends with its headers; an upload ends with its last response.
            if self._last_byte_ms is None or self.request["direction"] == "upload":
                self._last_byte_ms = self._elapsed_ms()
                self._first_byte_ms = self._first_byte_ms or self._last_byte_ms
        except TransferFailure as failure:
            error = failure.reported
        end_ms = self._elapsed_ms()
        reported = {
            "requestedAtMs": self._begun * 1000,
            "connectMs": min((ms for part in parts if (ms := part.connect_ms())), default=None),
            "firstByteMs": self._first_byte_ms,
            "lastByteMs": self._last_byte_ms,
            "bodyBytes": self._body_bytes,
            "series": [*self._series, {"atMs": end_ms, "bytes": self._body_bytes}],
            "error": error,
        }
        for part in parts:
            lib.curl_multi_remove_handle(multi, part.handle._curl)
            part.handle.close()
        # Closes the connections cleanly.
        lib.curl_multi_cleanup(multi)
        return {**reported, "keyLog": key_log.taken()}

    def _carry_out(self, multi, parts):
        duration_s, timeout_s = (each and each / 1000 for each in (self.request["durationMs"], self.request["timeoutMs"]))
        by_handle = {part.handle._curl: part for part in parts}
        running, waiting = ffi.new("int *"), ffi.new("int *")
        left = len(parts)
        next_step_s = STEP_S
        while left:
            _check(lib.curl_multi_perform(multi, running))
            while (message := lib.curl_multi_info_read(multi, waiting)) != ffi.NULL:
                if message.msg != DONE:
                    continue
                part = by_handle[message.easy_handle]
                part.assert_whole(message.data.result)
                if duration_s is None:
                    left -= 1
                else:
                    lib.curl_multi_remove_handle(multi, part.handle._curl)
                    part.begin_anew()
                    lib.curl_multi_add_handle(multi, part.handle._curl)
            now_s = time.monotonic() - self._begun
            if now_s >= next_step_s:
                self._series.append({"atMs": now_s * 1000, "bytes": self._body_bytes})
                next_step_s = (now_s // STEP_S + 1) * STEP_S
            if duration_s is not None and now_s >= duration_s:
                return
            if now_s >= timeout_s:
                reason = f"{self._body_bytes} of {self.request['bytes']} bytes were transferred within {timeout_s:g} s."
                raise TransferFailure("timeout", reason)
            if left:
                until_s = min(next_step_s, timeout_s, duration_s or timeout_s) - now_s
                _check(lib.curl_multi_poll(multi, ffi.NULL, 0, max(1, int(until_s * 1000)), running))

    def _elapsed_ms(self):
        return (time.monotonic() - self._begun) * 1000


class Part:
    """One request of a transfer."""

    def __init__(self, part, transfer):
        self._part = part
        self._transfer = transfer
        self._left = 0
        self._bytes = 0
        self.handle = Curl()
        self._set_options()
        self.begin_anew()

    def begin_anew(self):
        """Prepares to send the same request again."""
        self._left = self._part["bytes"]
        self._bytes = 0

    def connect_ms(self):
        """When the part's connection could send, in ms; None: it used the connection of another part."""
        microseconds = self.handle.getinfo(CurlInfo.APPCONNECT_TIME_T)
        return microseconds / 1000 if microseconds else None

    def assert_whole(self, result):
        """Raises TransferFailure unless the request succeeded."""
        method, path = self._part["method"], self._transfer.request["path"]
        status = self.handle.getinfo(CurlInfo.RESPONSE_CODE)
        name = CurlECode(result).name
        if result == 0 and status != self._part["status"]:
            raise TransferFailure("http-error", f"{method} {path}: expected status {self._part['status']}, got {status}.")
        protocol = self._transfer.request["protocol"]
        if result == 0 and self.handle.getinfo(CurlInfo.HTTP_VERSION) != VERSIONS[protocol][1]:
            raise TransferFailure("http-error", f"{method} {path}: expected a response by {protocol}, got another version of HTTP.")
        is_short = method == "GET" and self._bytes != self._part["bytes"]
        if result == 0 and not is_short:
            return
        said = ffi.string(self.handle._error_buffer).decode(errors="replace") or name
        if result != 0 and not self._is_connected():
            raise TransferFailure("connect-failed", f"{name}: {said}")
        if result != 0 and name not in CUT_OFF:
            raise TransferFailure("client-failed", f"{name}: {said}")
        ended = f"expected a body of {self._part['bytes']} bytes, got {self._bytes} and then its end" if method == "GET" else said
        raise TransferFailure("cut-off", f"{method} {path}: {ended}.")

    def _is_connected(self):
        return self.connect_ms() is not None or self.handle.getinfo(CurlInfo.RESPONSE_CODE) != 0 or self._bytes > 0

    def _set_options(self):
        request, handle, method = self._transfer.request, self.handle, self._part["method"]
        ip, port = contract.address_of(request)
        host = request["host"]
        handle.setopt(CurlOpt.URL, f"https://{host}:{port}{request['path']}")
        handle.setopt(CurlOpt.RESOLVE, [f"{host}:{port}:{f'[{ip}]' if ':' in ip else ip}"])
        handle.setopt(CurlOpt.HTTP_VERSION, VERSIONS[request["protocol"]][0])
        handle.setopt(CurlOpt.SSLVERSION, TLS13_ONLY)
        set_key_exchange(handle, request)
        # The run made the server's certificate itself, so there is nothing to verify.
        handle.setopt(CurlOpt.SSL_VERIFYPEER, 0)
        handle.setopt(CurlOpt.SSL_VERIFYHOST, 0)
        # A part waits for a connection that another part is making, so that all become streams of one connection.
        handle.setopt(CurlOpt.PIPEWAIT, int(request["protocol"] in ("h2", "h3")))
        handle.setopt(CurlOpt.NOSIGNAL, 1)
        handle.setopt(CurlOpt.PROXY, "")
        handle.setopt(CurlOpt.BUFFERSIZE, PIECE_BYTES)
        handle.setopt(CurlOpt.UPLOAD_BUFFERSIZE, PIECE_BYTES)
        headers = [f"range: {self._part['range']}"] if self._part["range"] else []
        if method == "POST":
            handle.setopt(CurlOpt.POST, 1)
            handle.setopt(CurlOpt.POSTFIELDSIZE_LARGE, self._part["bytes"])
            handle.setopt(CurlOpt.READFUNCTION, self._hand_over)
            # Removes libcurl's headers for 100-continue and the body's type.
            headers += ["expect:", "content-type:"]
        handle.setopt(CurlOpt.WRITEFUNCTION, self._take)
        handle.setopt(CurlOpt.HTTPHEADER, [f"host: {host}".encode(), *(line.encode() for line in headers)])
        self._set_windows()

    def _set_windows(self):
        """Sets HTTP/2's window; over QUIC libcurl's windows grow from any initial size."""
        window = self._transfer.request["streamWindowBytes"]
        if window is not None and self._transfer.request["protocol"] == "h2":
            self.handle.setopt(CurlOpt.HTTP2_SETTINGS, f"{ENABLE_PUSH}:0;{INITIAL_WINDOW_SIZE}:{window}")

    def _take(self, piece):
        if self._part["method"] == "GET":
            self._bytes += len(piece)
            self._transfer.took(len(piece))
        return len(piece)

    def _hand_over(self, most):
        piece = PIECE[: min(most, self._left)]
        self._left -= len(piece)
        self._transfer.took(len(piece))
        return piece


def _check(result):
    if result != 0:
        raise TransferFailure("client-failed", f"libcurl: {ffi.string(lib.curl_multi_strerror(result)).decode()}")


def answer(line):
    """Processes one line of stdin. Always returns a TransferResult: the caller waits for each line's result."""
    begun_ms = time.monotonic() * 1000
    try:
        return Transfer(json.loads(line)).made()
    except Exception as error:  # noqa: BLE001
        reason = f"The client failed: {type(error).__name__}: {error}"
        nothing = dict.fromkeys(("connectMs", "firstByteMs", "lastByteMs"))
        counts = {"bodyBytes": 0, "series": [], "keyLog": ""}
        return {"requestedAtMs": begun_ms, **nothing, **counts, "error": {"code": "client-failed", "reason": reason}}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(line)), flush=True)
