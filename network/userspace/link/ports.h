/* Excludes the connections so far from the next load, unless they are kept or the load has every packet. */
void begin_ports(int keeps_connections, int everything);

/* Whether a packet in a direction belongs to the load. */
int owns(int direction, const u8 *packet, int length);

/* Whether a packet is UDP, but not DNS. */
int is_udp_but_dns(const u8 *packet, int length);

/* Whether a packet has transport payload. */
int carries_data(const u8 *packet, int length);

/* Adds a port of TCP or UDP to the load. */
void own_port(int udp, int port);

/* The segment of TCP or UDP in a packet, and its length; 0: no segment. */
const u8 *segment_of(const u8 *packet, int length, int *segment_bytes);

/* Whether a segment is a connection's first: a SYN, or a QUIC Initial. */
int begins(int udp, const u8 *segment, int bytes);

/* For a packet with a segment. */
int is_udp(const u8 *packet);
