#define STEP_NS 10000000L
/* Ten minutes; what comes later is in no sample. */
#define STEPS 60000

/* What a direction carried in one step. */
struct sample {
  i64 packets, bytes, lost, queue_drops;
  double busy_ns, most_queued_bytes;
};

/* The samples of one direction since the load began. */
struct samples {
  struct sample *steps;
  i64 began_ns;
  /* How many steps may hold anything, and the last one of which the queue is known. */
  i64 used, queued;
};

/* Forgets all samples. */
void begin_samples(struct samples *samples, i64 now_ns);

/* The sample of a time, to count in. */
struct sample *sample_at(struct samples *samples, i64 time_ns);

/* The limited rate was used from one time to another. */
void add_busy(struct samples *samples, double from_ns, double to_ns);

/* What waits for its turn at the limited rate at a time. */
void add_queued(struct samples *samples, i64 time_ns, double bytes);

/* Nothing has come for the queue, which is empty at `free_at_ns`, up to a time. */
void drain_queue(struct samples *samples, i64 time_ns, double free_at_ns, double ns_per_byte);
