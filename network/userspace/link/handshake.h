/* Changes of the set-up of connections. */
#define UNCHANGED 0
#define ONE_ROUND_TRIP_MORE 1
#define ONE_ROUND_TRIP_LESS 2

/* Begins a load; connections of earlier loads that are kept are not new. */
void begin_handshakes(int change, int keeps_connections);

/*
 * With a round trip more: when a packet of the client may enter the link, at the earliest `now_ns`. The first packet of
 * a connection, and those within a round trip after it, enter together.
 */
i64 entry_ns(const u8 *packet, int length, i64 now_ns, i64 round_trip_ns);

/* With a round trip less: whether a packet sets up TCP, so that it crosses the link without delay or queue. */
int crosses_at_once(const u8 *packet, int length);
