/* Time of an attempt's event, on the clock of its packets. */

#include "libc.h"
#include "event.h"

static i64 after_ns = -1, cut_ns, first_ns = -1;

void begin_event(i64 given_after_ns, i64 given_cut_ns) {
  after_ns = given_after_ns;
  cut_ns = given_cut_ns;
  first_ns = -1;
}

void note_packet(i64 now_ns) {
  if (first_ns < 0) first_ns = now_ns;
}

i64 first_packet_ns(void) {
  return first_ns;
}

i64 event_ns(i64 now_ns) {
  if (after_ns < 0 || first_ns < 0 || now_ns < first_ns + after_ns) return -1;
  return first_ns + after_ns;
}

int is_cut(i64 now_ns) {
  i64 begin_ns = cut_ns > 0 ? event_ns(now_ns) : -1;
  return begin_ns >= 0 && now_ns < begin_ns + cut_ns;
}
