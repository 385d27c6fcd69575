"""What connecting clients in Python share: their side of the contract in clients/connector.ts."""

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
    """Why there is no connection, or no answer: a FailureReason of ground/records/connection-attempt.ts."""

    def __init__(self, layer, code, reason):
        super().__init__(reason)
        self.reported = {"layer": layer, "code": code, "reason": reason}


def unsupported(reason):
    """The client cannot do what is asked for."""
    return Failure("client", "unsupported", reason)


def no_ticket(host):
    """A ticket is to be taken over, and none is there."""
    return Failure("client", "no-ticket", f"No ticket of {host} is left from an earlier connection by the same way.")


def made(error=None, facts=None, key_log="", **instants_ms):
    """A ConnectionMade; what is left out is null."""
    return {
        "tcpMs": None,
        "maySendMs": None,
        "completeMs": None,
        "confirmedMs": None,
        "firstByteMs": None,
        "totalMs": None,
        **instants_ms,
        "facts": {**NO_FACTS, **(facts or {})},
        "error": error,
        "keyLog": key_log,
    }


def address_of(asked):
    """IP and port of the server, without the brackets of IPv6."""
    ip, _, port = asked["address"].rpartition(":")
    return ip.strip("[]"), int(port)


def answer(connect, line):
    """What becomes of one line of stdin: always a ConnectionMade, since a line that is not answered would be waited for."""
    try:
        asked = json.loads(line)
        trust = asked["trust"]
        if trust not in (None, "system") and not Path(trust).is_file():
            raise Failure("client", "no-authorities", f"There is no file {trust}, which is to have the authorities to trust.")
        return connect(asked)
    except Failure as failure:
        return made(error=failure.reported)
    except Exception as error:  # noqa: BLE001
        reason = f"The connecting client failed: {type(error).__name__}: {error}"
        return made(error={"layer": "client", "code": "failed", "reason": reason})


def serve(connect):
    """Answers each AskedConnection on stdin, a line of JSON, with a line on stdout, until stdin closes."""
    for line in sys.stdin:
        print(json.dumps(answer(connect, line)), flush=True)
