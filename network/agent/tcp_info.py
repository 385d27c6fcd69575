"""TCP connections of a namespace from the kernel: inet_diag over netlink, as in `ss -ti`."""

import ipaddress
import os
import socket
import struct

import namespaces

_NETLINK_SOCK_DIAG = 4
_SOCK_DIAG_BY_FAMILY = 20
_REQUEST_AND_DUMP = 0x001 | 0x300
_DONE = 3
_ERROR = 2
_INFO = 2
# Connections only: no listening sockets, and no requests without a socket.
_STATES = ("ESTABLISHED", "SYN_SENT", "SYN_RECV", "FIN_WAIT1", "FIN_WAIT2", "TIME_WAIT", "CLOSE", "CLOSE_WAIT", "LAST_ACK")
_STATES += ("LISTEN", "CLOSING")
_REQUESTED_STATES = ("ESTABLISHED", "FIN_WAIT1", "FIN_WAIT2", "CLOSE_WAIT", "LAST_ACK", "CLOSING")
_MOST_BYTES = 256 * 1024

# length, type, flags, sequence, port
_HEAD = struct.Struct("=IHHII")
# family, protocol, extensions, padding, states; then any socket
_REQUEST = struct.Struct("=BBBBI48x")
# family, state, timer, retransmits; ports; addresses; interface, cookie; expires, queues, user, inode
_SOCKET = struct.Struct(">BBxx HH 16s 16s 4x8s 20x")
_MAPPED = bytes(10) + b"\xff\xff"
_ATTRIBUTE = struct.Struct("=HH")
# struct tcp_info up to the receive window of the peer (Linux 5.4): 8 bytes, then numbers of 32 and 64 bits.
_TCP_INFO = struct.Struct("=8B 24I 4Q 2I 4I Q 3Q 2I 2Q 4I")
_IS_APP_LIMITED = 0x01
# The kernel's value of a threshold that was never set.
_NO_THRESHOLD = 0x7FFFFFFF


def open_diag():
    """A netlink socket in this process's network namespace."""
    try:
        return socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_CLOEXEC, _NETLINK_SOCK_DIAG)
    except OSError as error:
        raise namespaces.NotAllowed(
            f"the kernel does not provide TCP_INFO: {error.strerror}",
            "use a kernel with CONFIG_INET_DIAG, or omit --tcp-info",
        ) from error


def query(diag, family=socket.AF_INET):
    """All connections in the kernel's format: a list of bytes. AF_INET6 has those over IPv4 of sockets that accept both."""
    states = sum(1 << (_STATES.index(state) + 1) for state in _REQUESTED_STATES)
    request = _REQUEST.pack(family, socket.IPPROTO_TCP, 1 << (_INFO - 1), 0, states)
    diag.send(_HEAD.pack(_HEAD.size + len(request), _SOCK_DIAG_BY_FAMILY, _REQUEST_AND_DUMP, 0, 0) + request)
    answers = []
    while True:
        answer = diag.recv(_MOST_BYTES)
        kind = _HEAD.unpack_from(answer)[1]
        if kind == _DONE:
            return answers
        if kind == _ERROR:
            number = -struct.unpack_from("=i", answer, _HEAD.size)[0]
            raise OSError(number, os.strerror(number))
        answers.append(answer)
        # The end mark may be at the end of the last answer.
        if _ends_with_done(answer):
            return answers


def connections(answers, at_client=False, peer=None):
    """Each connection at the server's or the client's end: its unique cookie, and its numbers as in a record. With a peer: only those to this address."""
    for kind, body in (message for answer in answers for message in _messages(answer)):
        if kind != _SOCK_DIAG_BY_FAMILY:
            continue
        family, state, own_port, other_port, own, other, cookie = _SOCKET.unpack_from(body)
        if family == socket.AF_INET6:
            if not other.startswith(_MAPPED):
                continue
            own, other = own[12:], other[12:]
        own, other = (ipaddress.IPv4Address(address[:4]) for address in (own, other))
        if peer is not None and str(other) != peer:
            continue
        ends = [f"{own}:{own_port}", f"{other}:{other_port}"]
        client, server = ends if at_client else reversed(ends)
        info = _attribute(body[_SOCKET.size :], _INFO)
        # The connection was closed meanwhile.
        if info is None:
            continue
        if len(info) < _TCP_INFO.size:
            raise OSError("this kernel's TCP_INFO lacks the newer fields: it needs Linux 5.4")
        yield (
            cookie,
            {
                "client": client,
                "server": server,
                "state": _STATES[state - 1],
                **_numbers(info),
            },
        )


def _numbers(info):
    """tcp_info with units."""
    (
        _state, _ca_state, _retransmits, _probes, _backoff, _options, _scales, flags,
        _rto, _ato, mss, _rcv_mss, unacked, sacked, lost, retransmitted, _fackets,
        _last_sent, _last_ack_sent, _last_received, _last_ack, _pmtu, _rcv_ssthresh,
        rtt_us, rttvar_us, ssthresh, cwnd, _advmss, _reordering, _rcv_rtt, _rcv_space, total_retransmitted,
        _pacing, _max_pacing, bytes_acked, _bytes_received, _segs_out, _segs_in,
        not_sent_bytes, min_rtt_us, _data_in, _data_out, delivery_rate, busy_us, rwnd_limited_us, sndbuf_limited_us,
        _delivered, _delivered_ce, bytes_sent, bytes_retransmitted, _dsack, _reord, _ooo, window_bytes,
    ) = _TCP_INFO.unpack_from(info)  # fmt: skip
    return {
        "mssBytes": mss,
        "cwndSegments": cwnd,
        "cwndBytes": cwnd * mss,
        "ssthreshBytes": None if ssthresh >= _NO_THRESHOLD else ssthresh * mss,
        "inFlightBytes": (unacked - sacked - lost + retransmitted) * mss,
        "unackedSegments": unacked,
        "lostSegments": lost,
        "retransmittedSegments": total_retransmitted,
        "retransmittedBytes": bytes_retransmitted,
        "sentBytes": bytes_sent,
        "ackedBytes": bytes_acked,
        "notSentBytes": not_sent_bytes,
        "offeredBytes": window_bytes,
        "rttMs": rtt_us / 1000,
        "rttVarMs": rttvar_us / 1000,
        "minRttMs": None if min_rtt_us == 0xFFFFFFFF else min_rtt_us / 1000,
        "deliveryRateKbps": delivery_rate * 8 / 1000,
        "isAppLimited": bool(flags & _IS_APP_LIMITED),
        "busyMs": busy_us / 1000,
        "rwndLimitedMs": rwnd_limited_us / 1000,
        "sndbufLimitedMs": sndbuf_limited_us / 1000,
    }


def _messages(answer):
    """Type and body of each netlink message."""
    at = 0
    while at + _HEAD.size <= len(answer):
        length, kind = _HEAD.unpack_from(answer, at)[:2]
        yield kind, answer[at + _HEAD.size : at + length]
        at += length + -length % 4


def _ends_with_done(answer):
    return any(kind == _DONE for kind, _ in _messages(answer))


def _attribute(attributes, wanted):
    at = 0
    while at + _ATTRIBUTE.size <= len(attributes):
        length, kind = _ATTRIBUTE.unpack_from(attributes, at)
        if kind == wanted:
            return attributes[at + _ATTRIBUTE.size : at + length]
        at += max(length + -length % 4, _ATTRIBUTE.size)
    return None
