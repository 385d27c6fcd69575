/* One opportunity of a trace carries a packet of 1,500 bytes with its Ethernet header. */
#define OPPORTUNITY_BYTES 1514

/* The bottleneck of a direction: a rate, the opportunities of a trace, or no limit. */
struct bottleneck {
  /* 0: no rate. */
  double ns_per_byte;
  /* The `count` opportunities in ms of the trace, which repeats after the last one; 0: no trace. */
  u32 *times_ms;
  i64 count;
  i64 began_ns;
  /* The last packet's opportunity, counted over all repetitions of the trace, and its remaining bytes. */
  i64 turn;
  int left_bytes;
  /* Departure of the last packet. With a fraction, so that rates do not drift. */
  double free_at_ns;
};

/* Begins empty and without a limit. */
void begin_bottleneck(struct bottleneck *bottleneck, i64 now_ns);

/* `ns_per_byte` 0: no limit. */
void limit_by_rate(struct bottleneck *bottleneck, double ns_per_byte);

/* `times_ms`, which are copied, do not decrease, and the last one is not 0. */
void limit_by_trace(struct bottleneck *bottleneck, const u32 *times_ms, i64 count);

/* Starts the trace, independently of the queue. */
void begin_trace(struct bottleneck *bottleneck, i64 now_ns);

int is_limited(const struct bottleneck *bottleneck);

/* Queued bytes at a time without further arrivals, with the unsent part of the packet being sent. */
double waiting_bytes(const struct bottleneck *bottleneck, i64 time_ns);

/* Bytes that can leave from one time to another. */
double capacity_bytes(const struct bottleneck *bottleneck, i64 from_ns, i64 to_ns);

/* Queues a packet: it leaves at `free_at_ns`. */
void take_turn(struct bottleneck *bottleneck, int bytes, i64 now_ns);
