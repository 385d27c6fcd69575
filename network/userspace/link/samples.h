#define STEP_NS 10000000L
/* Ten minutes; later packets are in no sample. */
#define STEPS 60000

/* One step of a direction. */
struct sample {
  i64 packets, bytes, lost, queue_drops;
  double busy_ns, most_queued_bytes, most_wait_ns, capacity_bytes;
};

/* The samples of one direction since the load began. */
struct samples {
  struct sample *steps;
  i64 began_ns;
  /* The number of steps that may hold data; the last step with a known queue; the last with a capacity, maybe incomplete. */
  i64 used, queued, capacity;
};

/* Forgets all samples. */
void begin_samples(struct samples *samples, i64 now_ns);

struct sample *sample_at(struct samples *samples, i64 time_ns);

/* Adds a period in which a packet was sent at the limited rate, or waited for an opportunity. */
void add_busy(struct samples *samples, double from_ns, double to_ns);

/* Adds the queued bytes at a time, and the wait of the last of them. */
void add_queued(struct samples *samples, i64 time_ns, double bytes, double wait_ns);

/* Completes the steps up to a time, in which no packet has arrived in the queue. */
void drain_queue(struct samples *samples, i64 time_ns, const struct bottleneck *bottleneck);

/* Adds the capacity up to a time. */
void add_capacity(struct samples *samples, i64 time_ns, const struct bottleneck *bottleneck);
