"""Selects a load's packets by the client's port: those of connections that the client began in it."""

import struct

_TCP = 6
_UDP = 17
# Version and length of the IP header, protocol, ports of sender and receiver.
_HEADS = struct.Struct(">B8xB10xHH")
# Without options, which are never sent here.
_PLAIN_IP = 0x45
_IP_BYTES = 20
# QUIC version 2, whose long headers have other types than version 1.
_QUIC_2 = bytes.fromhex("6b3343cf")


class ClientPorts:
    """Remembers the client's ports.

    Packets without ports (ICMP) belong to no load: they answer packets of an earlier one.
    """

    def __init__(self):
        # Ports with their protocol: those of this load, and those of earlier connections.
        self._met = set()
        self._old = set()

    def begin_load(self, keeps_connections):
        """Excludes the connections so far from the next load, unless they are kept."""
        if not keeps_connections:
            self._old |= self._met
            self._met = set()

    def owns_sent(self, packet):
        """Whether a packet of the client belongs to the load."""
        try:
            head, protocol, port, _ = _HEADS.unpack_from(packet)
        except struct.error:
            return False
        if head != _PLAIN_IP or (protocol != _TCP and protocol != _UDP):
            return False
        key = protocol << 16 | port
        if key in self._old:
            if not _begins(protocol, packet[_IP_BYTES:]):
                return False
            self._old.discard(key)
        self._met.add(key)
        return True

    def owns_received(self, packet):
        """Whether a packet to the client belongs to the load."""
        try:
            head, protocol, _, port = _HEADS.unpack_from(packet)
        except struct.error:
            return False
        if head != _PLAIN_IP or (protocol != _TCP and protocol != _UDP):
            return False
        key = protocol << 16 | port
        if key in self._old:
            return False
        self._met.add(key)
        return True


def _begins(protocol, segment):
    """Whether a packet is a connection's first: a SYN, or a QUIC Initial (RFC 9000, section 17.2.2; RFC 9369, section 3.2)."""
    if protocol == _TCP:
        return len(segment) > 13 and segment[13] & 0x12 == 0x02
    if len(segment) < 13:
        return False
    return segment[8] & 0xF0 == (0xD0 if segment[9:13] == _QUIC_2 else 0xC0)
