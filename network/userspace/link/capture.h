/* Fate of a captured packet. */
#define ARRIVED 0
#define LOST 1
#define DROPPED 2
#define ON_ITS_WAY 3
/* Blocked, rejected or over the rate. */
#define UDP_DROPPED 4
#define FORGOTTEN 5
/* At the client's end while the path was cut. */
#define CUT 6

/* Keeps a load's packets in this memory, which may be shared. */
void keep_packets_in(u8 *memory, i64 bytes);

/* Forgets the packets, unless connections are kept. */
void begin_capture(int keeps_connections);

/* `place` is twice the packet's number in order of arrival, which leaves room between neighbours. */
void keep_packet(
    int direction, i64 arrived_ns, i64 left_ns, i64 place, int fate, const u8 *packet, int length);

/* Marks later packets up to the end of the capture as in flight. */
void count_capture(void);
void end_capture(void);

/*
 * Offsets in bytes at which packets of before the load, counted packets, and packets in flight end,
 * and the number of packets that did not fit.
 */
void capture_places(i64 *earlier_counted_end_missed);
