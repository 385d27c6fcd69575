#define STEP_NS 10000000L
/* Ten minutes; what comes later is in no sample. */
#define STEPS 60000

/* What a direction carried in one step. */
struct sample {
  i64 packets, bytes, lost, queue_drops;
  double busy_ns, most_queued_bytes, most_wait_ns, capacity_bytes;
};

/* The samples of one direction since the load began. */
struct samples {
  struct sample *steps;
  i64 began_ns;
  /* How many steps may hold anything, and the last ones of which queue and capacity are known, the latter maybe in part. */
  i64 used, queued, capacity;
};

/* Forgets all samples. */
void begin_samples(struct samples *samples, i64 now_ns);

/* The sample of a time, to count in. */
struct sample *sample_at(struct samples *samples, i64 time_ns);

/* A packet was being sent at the limited rate, or waited for an opportunity, from one time to another. */
void add_busy(struct samples *samples, double from_ns, double to_ns);

/* What waits for its turn at a time, and how long the last of it will. */
void add_queued(struct samples *samples, i64 time_ns, double bytes, double wait_ns);

/* Nothing has come for the queue up to a time. */
void drain_queue(struct samples *samples, i64 time_ns, const struct bottleneck *bottleneck);

/* What could have left up to a time. */
void add_capacity(struct samples *samples, i64 time_ns, const struct bottleneck *bottleneck);
