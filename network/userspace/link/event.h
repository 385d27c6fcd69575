/* The event of an attempt, and its cut, if any: then no packet crosses the client's end. */

/*
 * Begins an attempt; its event is `after_ns` after the first packet to a server, -1: no event. The path is then cut for
 * `cut_ns`; 0: not cut.
 */
void begin_event(i64 after_ns, i64 cut_ns);

/* Reports a packet of the attempt to a server. */
void note_packet(i64 now_ns);

/* Times of the first packet and of the event; -1: not yet. */
i64 first_packet_ns(void);
i64 event_ns(i64 now_ns);

/* Whether packets at the client's end are lost at this time. */
int is_cut(i64 now_ns);
