/* A packet in flight, and its time of departure. */
struct packet {
  i64 due_ns, arrived_ns;
  /* Order of arrival. */
  i64 number;
  /* The load of its direction in which it arrived; 0: no load. */
  i64 load;
  /* Enters the link only at `due_ns`. */
  int is_held;
  int length;
  u8 bytes[1];
};

/* Counts of a direction since the load began. */
struct counts {
  i64 packets, bytes, lost, queue_drops, udp_dropped, cut, most_late_ns;
};

/* Memory of both directions' samples, one after the other. */
void sample_in(void *memory);

/*
 * Begins a load: counts are zero, bottleneck and queue empty, and all effects off until set_...(). Packets in flight
 * remain, and are counted when they leave if their connections are kept.
 */
void begin_direction(int direction, i64 now_ns, i64 seed, int keeps_connections, int captures);

void set_delay(int direction, i64 delay_ns, i64 jitter_ns);

/* Whether both directions delay packets this long, or one has a rate or trace: then some may leave early and some late. */
int holds_back(i64 for_ns);

/* A packet is dropped if it exceeds this limit of queued bytes; without a rate, of bytes in flight. */
void set_queue(int direction, i64 queue_bytes);

/* `ns_per_byte` 0: no limit. */
void set_rate(int direction, double ns_per_byte);

/*
 * Times at which packets may leave, in ms since the load's first packet to the servers, repeated after the last one;
 * bottleneck.h has the requirements.
 */
void set_trace(int direction, const u32 *times_ms, i64 count);

/* Probabilities of 0 to 1: of loss, of entering a burst in which all packets are lost, and of leaving it. */
void set_loss(int direction, double loss, double enter_burst, double leave_burst);

/* Numbers, from 1, of the load's data packets that are lost in addition to random loss. */
void lose_data_packets(int direction, const int *numbers, int count);

#define TAKEN 0
#define LEAVES 1
#define REFUSED 2

/*
 * Takes a packet. LEAVES: the caller sends it at once. REFUSED: it is dropped, and the sender has to receive an error. A
 * packet of no load is delayed, but neither queues, nor is lost by chance, nor counted. While the path is cut, the
 * client's packets are dropped; packets for the client leave as usual, and the caller drops them. Both are counted as cut.
 */
int arrive(int direction, const u8 *packet, int length, i64 now_ns, int of_load);

/* Departure of the next packet; -1: no packet. */
i64 next_due_ns(int direction);

/* Removes the next packet to leave, which the caller frees; 0: it was held, and enters the link now. */
struct packet *leave(int direction, i64 now_ns);

/* Adds the load's packets in flight to the capture. */
void keep_on_the_way(int direction);

/* Reads the counts, and completes the samples up to this time. */
void count(int direction, i64 now_ns, struct counts *counts);

/* When the load began, and the number of steps that may hold data in either direction. */
void sampled(i64 *began_used);
