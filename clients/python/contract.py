"""The protocol of clients/connector.ts, shared by the Python clients."""

import json
import sys
from pathlib import Path

NO_FACTS = {
    "tlsVersion": None,
    "cipher": None,
    "group": None,
    "alpn": None,
    "quicVersion": None,
    "retry": None,
    "resumed": None,
    "earlyData": None,
    "bytesSent": None,
    "bytesReceived": None,
    "certificateChainBytes": None,
    "rttMs": None,
    "status": None,
    "bodyBytes": None,
    "altSvc": None,
}


class Failure(Exception):
    """Why a connection or response failed: a FailureReason of ground/records/connection-attempt.ts."""

    def __init__(self, layer, code, reason):
        super().__init__(reason)
        self.reported = {"layer": layer, "code": code, "reason": reason}


def unsupported(reason):
    """The failure for a request that the client does not support."""
    return Failure("client", "unsupported", reason)


def no_ticket(host):
    """The failure for a request that needs a ticket which the client lacks."""
    return Failure("client", "no-ticket", f"There is no ticket for {host} from an earlier connection by the same transport.")


def made(error=None, facts=None, key_log="", **times_ms):
    """A ConnectionResult; omitted values are null."""
    return {
        "tcpMs": None,
        "maySendMs": None,
        "completeMs": None,
        "confirmedMs": None,
        "firstByteMs": None,
        "totalMs": None,
        **times_ms,
        "facts": {**NO_FACTS, **(facts or {})},
        "error": error,
        "keyLog": key_log,
    }


def address_of(request):
    """IP (without brackets) and port of the server."""
    ip, _, port = request["address"].rpartition(":")
    return ip.strip("[]"), int(port)


def answer(connect, line):
    """Processes one line of stdin. Always returns a ConnectionResult: the caller waits for each line's result."""
    try:
        request = json.loads(line)
        trust = request["trust"]
        if trust not in (None, "system") and not Path(trust).is_file():
            raise Failure("client", "no-authorities", f"There is no file {trust} of trusted authorities.")
        return connect(request)
    except Failure as failure:
        return made(error=failure.reported)
    except Exception as error:  # noqa: BLE001
        reason = f"The connecting client failed: {type(error).__name__}: {error}"
        return made(error={"layer": "client", "code": "failed", "reason": reason})


def serve(connect):
    """Prints a result for each ConnectionRequest on stdin, one line of JSON each, until stdin closes."""
    for line in sys.stdin:
        print(json.dumps(answer(connect, line)), flush=True)
