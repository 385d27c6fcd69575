/*
 * Windows of the load's QUIC connections, as in slow start (RFC 9002, section 7): what exceeds them is held. After a lost or dropped packet a connection is unlimited.
 */

/* A packet that was held, and when it was released. */
struct held {
  struct held *next;
  i64 released_ns;
  int length;
  u8 bytes[1];
};

/*
 * Begins a load with windows of `bytes` of payload; 0: unlimited. An acknowledgement takes `return_ns` to the servers. Held packets
 * of earlier connections are dropped, unless these are kept.
 */
void begin_windows(i64 bytes, i64 return_ns, int keeps_connections);

/* Whether a packet of the load to the client is held; it is copied. */
int hold(const u8 *packet, int length, i64 now_ns);

/* Removes a held packet for which there is room at a time, which the caller frees; 0: no packet. */
struct held *release(i64 now_ns);

/* When there may be room for a held packet; -1: nothing is held, or a packet has to leave the link first. */
i64 next_release_ns(void);

/* Reports a packet that leaves the link at the client's end. */
void note_left(const u8 *packet, int length, i64 now_ns);

/* Reports a packet to the client that was lost or dropped. */
void end_window(const u8 *packet, int length, i64 now_ns);
