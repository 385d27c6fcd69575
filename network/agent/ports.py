"""Which packets are a load's: those of connections that the client began in it, told by the client's port."""

import struct

_TCP = 6
_UDP = 17
# Version and length of the IP header, protocol, the ports of the sender and of the receiver.
_HEADS = struct.Struct(">B8xB10xHH")
# Without options, which nothing here sends.
_PLAIN_IP = 0x45
_IP_BYTES = 20
# The version whose long headers mean other types than those of the first one.
_QUIC_2 = bytes.fromhex("6b3343cf")


class ClientPorts:
    """Remembers the client's ports.

    What has no ports (ICMP) is of no load: it answers packets that came too late for one.
    """

    def __init__(self):
        # A port with its protocol: those met in this load, and those of connections from before it.
        self._met = set()
        self._old = set()

    def begin_load(self, keeps_connections):
        """From now on packets of the connections so far are of no load, unless they are kept."""
        if not keeps_connections:
            self._old |= self._met
            self._met = set()

    def owns_sent(self, packet):
        """Whether a packet of the client is the load's."""
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
        """Whether a packet to the client is the load's."""
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
    """Whether a packet is the first of a connection: a SYN, or a QUIC Initial (RFC 9000, section 17.2.2; RFC 9369, section 3.2)."""
    if protocol == _TCP:
        return len(segment) > 13 and segment[13] & 0x12 == 0x02
    if len(segment) < 13:
        return False
    return segment[8] & 0xF0 == (0xD0 if segment[9:13] == _QUIC_2 else 0xC0)
