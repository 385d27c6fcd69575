/* From now on packets of the connections so far are of no load, unless they are kept, or everything is of the load. */
void begin_ports(int keeps_connections, int everything);

/* Whether a packet that goes in a direction is the load's. */
int owns(int direction, const u8 *packet, int length);

/* Whether a packet is UDP, and neither a question nor an answer of DNS. */
int is_udp_but_dns(const u8 *packet, int length);

/* Whether a packet has anything behind the headers of IP and of TCP or UDP. */
int carries_data(const u8 *packet, int length);

/* The load has this port of TCP or UDP too. */
void own_port(int udp, int port);

/* The segment of TCP or UDP in a packet, and how long it is; 0: it has none. */
const u8 *segment_of(const u8 *packet, int length, int *segment_bytes);

/* Whether a segment is the first of a connection: a SYN, or a QUIC Initial. */
int begins(int udp, const u8 *segment, int bytes);

/* Of a packet that has a segment. */
int is_udp(const u8 *packet);
