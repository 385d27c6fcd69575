/* When something happens to the path in the middle of an attempt, and the cut, if it is one: then nothing crosses the client's end. */

/*
 * An attempt begins, with an event so long after its first packet to a server; -1: none. The path is cut from then on for so long; 0: it
 * is not.
 */
void begin_event(i64 after_ns, i64 cut_ns);

/* A packet of the attempt goes to a server. */
void note_packet(i64 now_ns);

/* When the first one did, and when the event was; -1: not yet. */
i64 first_packet_ns(void);
i64 event_ns(i64 now_ns);

/* Whether what is at the client's end at this time, in either direction, is lost. */
int is_cut(i64 now_ns);
