/* Loses, queues and delays the packets of a direction of the link. Independent of devices. */

#include "libc.h"
#include "packet.h"
#include "ports.h"
#include "bottleneck.h"
#include "capture.h"
#include "event.h"
#include "handshake.h"
#include "rebinding.h"
#include "samples.h"
#include "udp.h"
#include "window.h"
#include "direction.h"

/* An entry of the heap: packets leave in order of time, then of arrival. */
struct place {
  i64 due_ns, number;
  struct packet *packet;
};

struct direction {
  i64 delay_ns, jitter_ns, queue_bytes;
  double loss, enter_burst, leave_burst;
  int *loses_data, loses_data_count;
  i64 data_packets;
  int in_burst, captures;
  /* One series per kind of chance: the jitter does not change which packets are lost. */
  u64 loss_series, burst_series, jitter_series;

  struct bottleneck bottleneck;
  i64 number, load, waiting_bytes;
  struct place *heap;
  i64 waiting, room;

  struct counts counts;
  struct samples samples;
};

static struct direction directions[2];

/* Whether a packet of the load has been sent to the servers. */
static int has_begun;

/* The next 64 bits of a series: SplitMix64 (Steele, Lea and Flood, 2014). */
static u64 next(u64 *series) {
  u64 bits = *series += 0x9e3779b97f4a7c15ul;
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9ul;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111ebul;
  return bits ^ bits >> 31;
}

/* A random number from 0 to 1. */
static double draw(u64 *series) {
  return (i64)(next(series) >> 11) * 0x1p-53;
}

/* Start of a series, far from those of other seeds, directions and kinds. */
static u64 series_of(i64 seed, int direction, int kind) {
  u64 series = seed;
  series = next(&series) + (direction << 2 | kind);
  return next(&series);
}

void sample_in(void *memory) {
  for (int each = TO_SERVER; each <= TO_CLIENT; each++) {
    directions[each].samples.steps = (struct sample *)memory + each * STEPS;
  }
}

void begin_direction(int direction, i64 now_ns, i64 seed, int keeps_connections, int captures) {
  struct direction *state = &directions[direction];
  if (!keeps_connections || state->load == 0) {
    state->load++;
    state->waiting_bytes = 0;
  }
  state->captures = captures;
  state->in_burst = 0;
  state->data_packets = 0;
  state->loss_series = series_of(seed, direction, 0);
  state->burst_series = series_of(seed, direction, 1);
  state->jitter_series = series_of(seed, direction, 2);
  begin_bottleneck(&state->bottleneck, now_ns);
  memset(&state->counts, 0, sizeof state->counts);
  begin_samples(&state->samples, now_ns);
  set_delay(direction, 0, 0);
  set_queue(direction, 0x7fffffffffffffffl);
  set_loss(direction, 0, 0, 1);
  lose_data_packets(direction, 0, 0);
  treat_udp(direction, PASSED, 0, 0);
  has_begun = 0;
}

void set_delay(int direction, i64 delay_ns, i64 jitter_ns) {
  directions[direction].delay_ns = delay_ns;
  directions[direction].jitter_ns = jitter_ns;
}

int holds_back(i64 for_ns) {
  struct direction *up = &directions[TO_SERVER], *down = &directions[TO_CLIENT];
  int limited = is_limited(&up->bottleneck) || is_limited(&down->bottleneck);
  return limited || (up->delay_ns >= for_ns && down->delay_ns >= for_ns);
}

void set_queue(int direction, i64 queue_bytes) {
  directions[direction].queue_bytes = queue_bytes;
}

void set_rate(int direction, double ns_per_byte) {
  limit_by_rate(&directions[direction].bottleneck, ns_per_byte);
}

void set_trace(int direction, const u32 *times_ms, i64 count) {
  limit_by_trace(&directions[direction].bottleneck, times_ms, count);
}

void set_loss(int direction, double loss, double enter_burst, double leave_burst) {
  struct direction *state = &directions[direction];
  state->loss = loss;
  state->enter_burst = enter_burst;
  state->leave_burst = leave_burst;
}

void lose_data_packets(int direction, const int *numbers, int count) {
  struct direction *state = &directions[direction];
  state->loses_data = realloc(state->loses_data, (count + 1) * sizeof(int));
  memcpy(state->loses_data, numbers, count * sizeof(int));
  state->loses_data_count = count;
}

static int is_lost(struct direction *state, const u8 *packet, int length) {
  int lost = state->loss > 0 && draw(&state->loss_series) < state->loss;
  if (state->enter_burst > 0) {
    /* As in netem: the state decides about the packet, then changes. */
    lost |= state->in_burst;
    double chance = draw(&state->burst_series);
    state->in_burst = state->in_burst ? chance >= state->leave_burst : chance < state->enter_burst;
  }
  if (state->loses_data_count > 0 && carries_data(packet, length)) {
    state->data_packets++;
    for (int each = 0; each < state->loses_data_count; each++) {
      lost |= state->loses_data[each] == state->data_packets;
    }
  }
  return lost;
}

/* Reports a packet that was lost or dropped, and captures it. */
static void note_gone(
    int direction, const u8 *packet, int length, i64 arrived_ns, i64 now_ns, int fate) {
  struct direction *state = &directions[direction];
  if (direction == TO_CLIENT) end_window(packet, length, now_ns);
  if (!state->captures) return;
  /* Would leave behind the last packet, but does not occupy the bottleneck. */
  i64 free_at_ns = (i64)(state->bottleneck.free_at_ns + 0.5);
  i64 left_ns = (free_at_ns > now_ns ? free_at_ns : now_ns) + state->delay_ns;
  keep_packet(direction, arrived_ns, left_ns, 2 * state->number + 1, fate, packet, length);
}

static int fate_of(int direction, const u8 *packet, int length, i64 now_ns) {
  if (direction == TO_SERVER) return ARRIVED;
  if (is_cut(now_ns)) return CUT;
  return is_forgotten(packet, length, now_ns) ? FORGOTTEN : ARRIVED;
}

static void count_left(int direction, int counted_bytes, i64 now_ns) {
  struct direction *state = &directions[direction];
  if (direction == TO_CLIENT && is_cut(now_ns)) {
    state->counts.cut++;
    return;
  }
  struct sample *sample = sample_at(&state->samples, now_ns);
  state->counts.packets++;
  state->counts.bytes += counted_bytes;
  sample->packets++;
  sample->bytes += counted_bytes;
}

static int is_before(const struct place *one, const struct place *other) {
  return one->due_ns < other->due_ns || (one->due_ns == other->due_ns && one->number < other->number);
}

static void push(struct direction *state, struct packet *packet) {
  if (state->waiting == state->room) {
    state->room = state->room ? 2 * state->room : 4096;
    state->heap = realloc(state->heap, state->room * sizeof(struct place));
  }
  struct place added = {packet->due_ns, packet->number, packet};
  i64 at = state->waiting++;
  for (; at > 0 && is_before(&added, &state->heap[(at - 1) / 2]); at = (at - 1) / 2) {
    state->heap[at] = state->heap[(at - 1) / 2];
  }
  state->heap[at] = added;
}

static struct packet *push_copy(
    struct direction *state, const u8 *packet, int length, i64 arrived_ns, i64 due_ns, int of_load) {
  struct packet *taken = malloc(sizeof(struct packet) + length);
  taken->due_ns = due_ns;
  taken->arrived_ns = arrived_ns;
  taken->number = ++state->number;
  taken->load = of_load ? state->load : 0;
  taken->is_held = 0;
  taken->length = length;
  memcpy(taken->bytes, packet, length);
  push(state, taken);
  return taken;
}

static struct packet *pop(struct direction *state) {
  struct packet *first = state->heap[0].packet;
  struct place moved = state->heap[--state->waiting];
  i64 at = 0;
  for (;;) {
    i64 next = 2 * at + 1;
    if (next >= state->waiting) break;
    if (next + 1 < state->waiting && is_before(&state->heap[next + 1], &state->heap[next])) next++;
    if (!is_before(&state->heap[next], &moved)) break;
    state->heap[at] = state->heap[next];
    at = next;
  }
  state->heap[at] = moved;
  return first;
}

/* Traces begin with a load's first packet, so that every load meets the same link however long its programs take to start. */
static void begin_load(i64 now_ns) {
  has_begun = 1;
  for (int each = TO_SERVER; each <= TO_CLIENT; each++) {
    if (directions[each].bottleneck.count > 0) begin_trace(&directions[each].bottleneck, now_ns);
  }
}

/* Loses, drops or delays a packet. LEAVES: the caller sends it at once. */
static int enter(
    int direction, const u8 *packet, int length, i64 arrived_ns, i64 now_ns, int of_load) {
  struct direction *state = &directions[direction];
  struct bottleneck *bottleneck = &state->bottleneck;
  if (of_load && is_lost(state, packet, length)) {
    state->counts.lost++;
    sample_at(&state->samples, now_ns)->lost++;
    note_gone(direction, packet, length, arrived_ns, now_ns, LOST);
    return TAKEN;
  }
  int counted_bytes = length - HEADER_BYTES + ETHERNET_HEADER_BYTES;
  /* Packets of earlier loads, and ICMP about them, neither queue behind the load's packets nor delay them. */
  int limited = of_load && is_limited(bottleneck);
  int is_calm = !limited && state->delay_ns == 0 && state->jitter_ns == 0 && state->waiting == 0;
  if (is_calm || (of_load && crosses_at_once(packet, length))) {
    if (of_load) {
      count_left(direction, counted_bytes, now_ns);
      state->number++;
      if (state->captures) {
        int fate = fate_of(direction, packet, length, now_ns);
        keep_packet(direction, arrived_ns, now_ns, 2 * state->number, fate, packet, length);
      }
    }
    return LEAVES;
  }
  double start_ns = bottleneck->free_at_ns > now_ns ? bottleneck->free_at_ns : now_ns;
  double queued_bytes =
      counted_bytes + (limited ? waiting_bytes(bottleneck, now_ns) : state->waiting_bytes);
  int waits = limited ? start_ns > now_ns : of_load;
  if (waits && queued_bytes > state->queue_bytes) {
    if (of_load) {
      state->counts.queue_drops++;
      sample_at(&state->samples, now_ns)->queue_drops++;
      note_gone(direction, packet, length, arrived_ns, now_ns, DROPPED);
    }
    return TAKEN;
  }
  i64 due_ns = now_ns + state->delay_ns;
  if (limited) {
    drain_queue(&state->samples, now_ns, bottleneck);
    take_turn(bottleneck, counted_bytes, now_ns);
    due_ns = (i64)(bottleneck->free_at_ns + 0.5) + state->delay_ns;
    add_busy(&state->samples, start_ns, bottleneck->free_at_ns);
    add_queued(&state->samples, now_ns, queued_bytes, bottleneck->free_at_ns - now_ns);
  }
  if (state->jitter_ns && of_load) {
    due_ns += (i64)((2 * draw(&state->jitter_series) - 1) * state->jitter_ns);
  }
  if (of_load) state->waiting_bytes += counted_bytes;
  push_copy(state, packet, length, arrived_ns, due_ns, of_load);
  return TAKEN;
}

int arrive(int direction, const u8 *packet, int length, i64 now_ns, int of_load) {
  struct direction *state = &directions[direction];
  if (of_load && direction == TO_SERVER && !has_begun) begin_load(now_ns);
  if (direction == TO_SERVER && is_cut(now_ns)) {
    if (of_load) {
      state->counts.cut++;
      note_gone(direction, packet, length, now_ns, now_ns, CUT);
    }
    return TAKEN;
  }
  /* Only packets of the load take tokens from UDP's bucket. */
  int is_treated = of_load || treatment_of_udp(direction) != THROTTLED;
  if (is_treated && !may_pass(direction, packet, length, now_ns)) {
    if (of_load) {
      state->counts.udp_dropped++;
      note_gone(direction, packet, length, now_ns, now_ns, UDP_DROPPED);
    }
    return treatment_of_udp(direction) == REJECTED ? REFUSED : TAKEN;
  }
  i64 round_trip_ns = directions[TO_SERVER].delay_ns + directions[TO_CLIENT].delay_ns;
  i64 enters_ns = of_load && direction == TO_SERVER ? entry_ns(packet, length, now_ns, round_trip_ns) : now_ns;
  if (enters_ns > now_ns) {
    push_copy(state, packet, length, now_ns, enters_ns, of_load)->is_held = 1;
    return TAKEN;
  }
  return enter(direction, packet, length, now_ns, now_ns, of_load);
}

i64 next_due_ns(int direction) {
  struct direction *state = &directions[direction];
  return state->waiting ? state->heap[0].due_ns : -1;
}

struct packet *leave(int direction, i64 now_ns) {
  struct direction *state = &directions[direction];
  struct packet *packet = pop(state);
  if (packet->is_held) {
    int of_load = packet->load == state->load;
    i64 entered_ns = packet->due_ns;
    if (enter(direction, packet->bytes, packet->length, packet->arrived_ns, entered_ns, of_load) == LEAVES) {
      return packet;
    }
    free(packet);
    return 0;
  }
  int counted_bytes = packet->length - HEADER_BYTES + ETHERNET_HEADER_BYTES;
  if (packet->load == state->load) {
    state->waiting_bytes -= counted_bytes;
    count_left(direction, counted_bytes, now_ns);
    i64 late_ns = now_ns - packet->due_ns;
    if (late_ns > state->counts.most_late_ns) state->counts.most_late_ns = late_ns;
    if (state->captures) {
      i64 place = 2 * packet->number;
      int fate = fate_of(direction, packet->bytes, packet->length, now_ns);
      keep_packet(direction, packet->arrived_ns, now_ns, place, fate, packet->bytes, packet->length);
    }
  }
  return packet;
}

void keep_on_the_way(int direction) {
  struct direction *state = &directions[direction];
  if (!state->captures) return;
  for (i64 at = 0; at < state->waiting; at++) {
    struct packet *packet = state->heap[at].packet;
    if (packet->load != state->load) continue;
    i64 place = 2 * packet->number;
    keep_packet(direction, packet->arrived_ns, 0, place, ON_ITS_WAY, packet->bytes, packet->length);
  }
}

void count(int direction, i64 now_ns, struct counts *counts) {
  struct direction *state = &directions[direction];
  if (is_limited(&state->bottleneck)) {
    drain_queue(&state->samples, now_ns, &state->bottleneck);
    add_capacity(&state->samples, now_ns, &state->bottleneck);
  }
  *counts = state->counts;
}

void sampled(i64 *began_used) {
  struct samples *up = &directions[TO_SERVER].samples, *down = &directions[TO_CLIENT].samples;
  began_used[0] = up->began_ns;
  began_used[1] = up->used > down->used ? up->used : down->used;
}
