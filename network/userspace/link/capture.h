/* What became of a packet that is kept. */
#define ARRIVED 0
#define LOST 1
#define DROPPED 2
#define ON_ITS_WAY 3
/* UDP that was blocked, rejected or too much. */
#define UDP_DROPPED 4
#define FORGOTTEN 5
/* At the client's end while the path was cut. */
#define CUT 6

/* A load's packets are kept in this memory, which others may read. */
void keep_packets_in(u8 *memory, i64 bytes);

/* Forgets what is kept, unless connections are. */
void begin_capture(int keeps_connections);

/* Keeps a packet. `place` is twice its number in the order of arriving, so that there is room between neighbours. */
void keep_packet(
    int direction, i64 arrived_ns, i64 left_ns, i64 place, int fate, const u8 *packet, int length);

/* What is kept from now on up to the end of the capture is on its way, and anything else of later. */
void count_capture(void);
void end_capture(void);

/*
 * Up to where the memory has packets of before the load, those counted, and those that were then on their way, in bytes,
 * and how many packets found no room.
 */
void capture_places(i64 *earlier_counted_end_missed);
