/* A packet on its way, and when it has to leave. */
struct packet {
  i64 due_ns, arrived_ns;
  /* In the order of arriving. */
  i64 number;
  /* In which load of its direction it came; 0: it is of none. */
  i64 load;
  int length;
  u8 bytes[1];
};

/* What a direction has done since the load began. */
struct counts {
  i64 packets, bytes, lost, queue_drops, udp_dropped, cut, most_late_ns;
};

/* The memory of each direction's samples, one behind the other. */
void sample_in(void *memory);

/*
 * A load begins: counts from zero, the bottleneck and the queue are free, and nothing is added until set_...() asks for it. Packets
 * on their way stay on it, and are counted when they leave if their connections are kept.
 */
void begin_direction(int direction, i64 now_ns, i64 seed, int keeps_connections, int captures);

void set_delay(int direction, i64 delay_ns, i64 jitter_ns);

/* Whether packets are held back so long in both directions, or in a queue, where they can be earlier for those that are later. */
int holds_back(i64 for_ns);

/* Packets that would make more bytes than these wait are dropped; without a limit, more than these on their way. */
void set_queue(int direction, i64 queue_bytes);

/* `ns_per_byte` 0: no limit. */
void set_rate(int direction, double ns_per_byte);

/*
 * When packets may leave, in ms from the load's first packet to the servers on, and again and again after the last of these times;
 * bottleneck.h says what they must be.
 */
void set_trace(int direction, const u32 *times_ms, i64 count);

/* Chances of 0 to 1: to be lost, to enter a burst in which all are lost, and to leave it. */
void set_loss(int direction, double loss, double enter_burst, double leave_burst);

/* Numbers, from 1, of packets of the load with data: these are lost whatever the chance. */
void lose_data_packets(int direction, const int *numbers, int count);

#define TAKEN 0
#define LEAVES 1
#define REFUSED 2

/*
 * Takes a packet. LEAVES: at once, and whoever called sends it. REFUSED: it is gone, and its sender is to be told. One that is not
 * of the load is delayed as all are, but takes no turn at the bottleneck and no room in the queue, and is neither lost by chance nor
 * counted. What the client sends while the path is cut is gone; what is for it leaves as ever, counted as lost, and whoever called is
 * to lose it.
 */
int arrive(int direction, const u8 *packet, int length, i64 now_ns, int of_load);

/* When the next packet has to leave; -1: nothing waits. */
i64 next_due_ns(int direction);

/* Takes the packet that has to leave next from its direction; whoever called frees it. */
struct packet *leave(int direction, i64 now_ns);

/* Has what the load has on its way in a direction kept in the capture. */
void keep_on_the_way(int direction);

/* Reads what has been counted; the samples are then as of this time. */
void count(int direction, i64 now_ns, struct counts *counts);

/* When the load began, and in how many steps of either direction there may be anything. */
void sampled(i64 *began_used);
