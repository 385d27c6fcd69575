/* A packet of 1,500 bytes, with its Ethernet header as all are counted: what one opportunity of a trace carries. */
#define OPPORTUNITY_BYTES 1514

/* What lets the packets of a direction leave one after the other: a rate, or the opportunities of a trace; or nothing does. */
struct bottleneck {
  /* 0: no rate. */
  double ns_per_byte;
  /* When opportunities come, in ms of the trace, which begins anew after the last of them; none: no trace. */
  u32 *times_ms;
  i64 count;
  i64 began_ns;
  /* The opportunity that the last packet left by, counted through all repetitions of the trace, and what it has left for others. */
  i64 turn;
  int left_bytes;
  /* When all that came has left. With a fraction, so that rates do not drift. */
  double free_at_ns;
};

/* Nothing waits, and nothing is limited until limit_...() asks for it. */
void begin_bottleneck(struct bottleneck *bottleneck, i64 now_ns);

/* `ns_per_byte` 0: no limit. */
void limit_by_rate(struct bottleneck *bottleneck, double ns_per_byte);

/* `times_ms`, which are copied, do not decrease, and the last one is not 0. */
void limit_by_trace(struct bottleneck *bottleneck, const u32 *times_ms, i64 count);

/* The trace begins at a time, whatever was waiting. */
void begin_trace(struct bottleneck *bottleneck, i64 now_ns);

int is_limited(const struct bottleneck *bottleneck);

/* What waits for its turn at a time if nothing more comes, a packet that is being sent as far as it is not sent yet. */
double waiting_bytes(const struct bottleneck *bottleneck, i64 time_ns);

/* What can leave from one time to another. */
double capacity_bytes(const struct bottleneck *bottleneck, i64 from_ns, i64 to_ns);

/* A packet takes its turn behind those that wait: it leaves at `free_at_ns`. */
void take_turn(struct bottleneck *bottleneck, int bytes, i64 now_ns);
