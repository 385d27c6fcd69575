/* Lets the packets of a direction leave one after the other. Independent of packets' contents. */

#include "libc.h"
#include "bottleneck.h"

#define NS_PER_MS 1000000L

void begin_bottleneck(struct bottleneck *bottleneck, i64 now_ns) {
  bottleneck->ns_per_byte = 0;
  bottleneck->count = 0;
  begin_trace(bottleneck, now_ns);
}

void limit_by_rate(struct bottleneck *bottleneck, double ns_per_byte) {
  bottleneck->ns_per_byte = ns_per_byte;
}

void limit_by_trace(struct bottleneck *bottleneck, const u32 *times_ms, i64 count) {
  bottleneck->times_ms = realloc(bottleneck->times_ms, count * sizeof(u32));
  memcpy(bottleneck->times_ms, times_ms, count * sizeof(u32));
  bottleneck->count = count;
}

void begin_trace(struct bottleneck *bottleneck, i64 now_ns) {
  bottleneck->began_ns = now_ns;
  bottleneck->turn = 0;
  bottleneck->left_bytes = OPPORTUNITY_BYTES;
  bottleneck->free_at_ns = now_ns;
}

int is_limited(const struct bottleneck *bottleneck) {
  return bottleneck->ns_per_byte > 0 || bottleneck->count > 0;
}

static i64 duration_ns(const struct bottleneck *bottleneck) {
  return bottleneck->times_ms[bottleneck->count - 1] * NS_PER_MS;
}

static i64 time_of_turn(const struct bottleneck *bottleneck, i64 turn) {
  i64 repetition = turn / bottleneck->count;
  i64 within_ns = bottleneck->times_ms[turn % bottleneck->count] * NS_PER_MS;
  return bottleneck->began_ns + repetition * duration_ns(bottleneck) + within_ns;
}

/* The first opportunity at or after a time. */
static i64 turn_from(const struct bottleneck *bottleneck, i64 time_ns) {
  i64 since_ns = time_ns - bottleneck->began_ns;
  if (since_ns <= 0) return 0;
  /* The end of a repetition is the beginning of the next one, whose opportunities come later. */
  i64 repetition = (since_ns - 1) / duration_ns(bottleneck);
  i64 within_ns = since_ns - repetition * duration_ns(bottleneck);
  i64 low = 0, high = bottleneck->count - 1;
  while (low < high) {
    i64 middle = (low + high) / 2;
    if (bottleneck->times_ms[middle] * NS_PER_MS < within_ns) low = middle + 1;
    else high = middle;
  }
  return repetition * bottleneck->count + low;
}

double waiting_bytes(const struct bottleneck *bottleneck, i64 time_ns) {
  if (bottleneck->free_at_ns <= time_ns) return 0;
  if (bottleneck->count == 0) return (bottleneck->free_at_ns - time_ns) / bottleneck->ns_per_byte;
  i64 whole = bottleneck->turn - turn_from(bottleneck, time_ns);
  return (double)whole * OPPORTUNITY_BYTES + OPPORTUNITY_BYTES - bottleneck->left_bytes;
}

double capacity_bytes(const struct bottleneck *bottleneck, i64 from_ns, i64 to_ns) {
  if (bottleneck->count == 0) return (to_ns - from_ns) / bottleneck->ns_per_byte;
  i64 turns = turn_from(bottleneck, to_ns) - turn_from(bottleneck, from_ns);
  return (double)turns * OPPORTUNITY_BYTES;
}

void take_turn(struct bottleneck *bottleneck, int bytes, i64 now_ns) {
  if (bottleneck->count == 0) {
    double start_ns = bottleneck->free_at_ns > now_ns ? bottleneck->free_at_ns : now_ns;
    bottleneck->free_at_ns = start_ns + bytes * bottleneck->ns_per_byte;
    return;
  }
  /* Unused capacity of an opportunity is lost. */
  if (time_of_turn(bottleneck, bottleneck->turn) < now_ns) {
    bottleneck->turn = turn_from(bottleneck, now_ns);
    bottleneck->left_bytes = OPPORTUNITY_BYTES;
  }
  for (; bytes > bottleneck->left_bytes; bottleneck->turn++) {
    bytes -= bottleneck->left_bytes;
    bottleneck->left_bytes = OPPORTUNITY_BYTES;
  }
  bottleneck->left_bytes -= bytes;
  bottleneck->free_at_ns = time_of_turn(bottleneck, bottleneck->turn);
}
