"""Parses TLS handshake messages for values that libcurl does not report: RFC 8446, 4 and RFC 5246, 7.4."""

from wire_names import cipher_name, group_name

SERVER_HELLO = 2
NEW_SESSION_TICKET = 4
CERTIFICATE = 11
SERVER_KEY_EXCHANGE = 12

_KEY_SHARE = 51
_NAMED_CURVE = 3
# Random of a HelloRetryRequest (RFC 8446, 4.1.3).
_HELLO_RETRY_RANDOM = bytes.fromhex("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c")


class HandshakeMessages:
    """Values from the server's messages; None: not present."""

    def __init__(self, is_tls13):
        self._is_tls13 = is_tls13
        self.cipher = None
        self.group = None
        self.certificate_chain_bytes = None
        self.tickets = 0

    def take(self, message):
        """Reads one message, including its header."""
        kind, body = message[0], message[4:]
        if kind == SERVER_HELLO and body[2:34] != _HELLO_RETRY_RANDOM:
            self._take_hello(body)
        elif kind == NEW_SESSION_TICKET:
            self.tickets += 1
        elif kind == CERTIFICATE:
            self.certificate_chain_bytes = _chain_bytes(body, self._is_tls13)
        elif kind == SERVER_KEY_EXCHANGE and body[0] == _NAMED_CURVE:
            self.group = group_name(_number(body, 1, 2))

    def _take_hello(self, body):
        at = 35 + body[34]  # after version, random and session ID
        self.cipher = cipher_name(_number(body, at, 2))
        at += 5  # after suite, compression and the length of the extensions
        while at + 4 <= len(body):
            kind, length = _number(body, at, 2), _number(body, at + 2, 2)
            if kind == _KEY_SHARE:
                self.group = group_name(_number(body, at + 4, 2))
            at += 4 + length


def _chain_bytes(body, is_tls13):
    at = 1 + body[0] if is_tls13 else 0
    end = at + 3 + _number(body, at, 3)
    at += 3
    total = 0
    while at < end:
        length = _number(body, at, 3)
        total += length
        at += 3 + length
        if is_tls13:
            at += 2 + _number(body, at, 2)
    return total


def _number(data, at, size):
    return int.from_bytes(data[at : at + size], "big")
