/* Samples of a direction of the link in short steps. */

#include "libc.h"
#include "bottleneck.h"
#include "samples.h"

/* Collects data after the last step. */
static struct sample beyond;

void begin_samples(struct samples *samples, i64 now_ns) {
  memset(samples->steps, 0, samples->used * sizeof(struct sample));
  samples->began_ns = now_ns;
  samples->used = 0;
  samples->queued = 0;
  samples->capacity = 0;
}

static i64 step_of(struct samples *samples, double time_ns) {
  i64 step = (i64)((time_ns - samples->began_ns) / STEP_NS);
  /* A packet that woke the link arrived a little before it was read, maybe before the load began. */
  return step < 0 ? 0 : step;
}

static struct sample *sample_of(struct samples *samples, i64 step) {
  if (step >= STEPS) return &beyond;
  if (step >= samples->used) samples->used = step + 1;
  return &samples->steps[step];
}

struct sample *sample_at(struct samples *samples, i64 time_ns) {
  return sample_of(samples, step_of(samples, time_ns));
}

void add_busy(struct samples *samples, double from_ns, double to_ns) {
  i64 step = step_of(samples, from_ns);
  for (; step < STEPS && from_ns < to_ns; step++) {
    double end_ns = samples->began_ns + (step + 1) * STEP_NS;
    if (end_ns > to_ns) end_ns = to_ns;
    sample_of(samples, step)->busy_ns += end_ns - from_ns;
    from_ns = end_ns;
  }
}

void add_queued(struct samples *samples, i64 time_ns, double bytes, double wait_ns) {
  struct sample *sample = sample_at(samples, time_ns);
  if (bytes > sample->most_queued_bytes) sample->most_queued_bytes = bytes;
  if (wait_ns > sample->most_wait_ns) sample->most_wait_ns = wait_ns;
}

void drain_queue(struct samples *samples, i64 time_ns, const struct bottleneck *bottleneck) {
  i64 last = step_of(samples, time_ns);
  for (i64 step = samples->queued + 1; step <= last; step++) {
    i64 began_ns = samples->began_ns + step * STEP_NS;
    if (began_ns >= bottleneck->free_at_ns) break;
    double wait_ns = bottleneck->free_at_ns - began_ns;
    add_queued(samples, began_ns, waiting_bytes(bottleneck, began_ns), wait_ns);
  }
  if (last > samples->queued) samples->queued = last;
}

void add_capacity(struct samples *samples, i64 time_ns, const struct bottleneck *bottleneck) {
  i64 last = step_of(samples, time_ns);
  for (i64 step = samples->capacity; step <= last && step < STEPS; step++) {
    i64 began_ns = samples->began_ns + step * STEP_NS;
    i64 ended_ns = step == last ? time_ns : began_ns + STEP_NS;
    sample_of(samples, step)->capacity_bytes = capacity_bytes(bottleneck, began_ns, ended_ns);
  }
  samples->capacity = last;
}
