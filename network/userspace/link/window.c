/* Holds packets to the client beyond the window of a server that counts what it sends. */

#include "libc.h"
#include "packet.h"
#include "ports.h"
#include "rebinding.h"
#include "window.h"

#define PORTS 65536
#define SOURCE_ADDRESS 12
#define UDP_BYTES 8
/* As in the queue of a path without a rate. */
#define MOST_HELD_BYTES (64L << 20)

/* The window of a QUIC connection, in bytes of payload. */
struct window {
  /* Of the same port of the client. */
  struct window *next;
  /* Address and port. */
  u64 server;
  int is_over;
  i64 grown, released, acknowledged;
  /* The most in flight in a round, and what was released up to the packet whose acknowledgement ends it. */
  i64 most_in_flight, round_end;
  struct held *first, **end;
};

struct acknowledgement {
  struct acknowledgement *next;
  i64 at_ns;
  struct window *window;
  int bytes;
};

static struct window *windows[PORTS];
static int has_windows;
static i64 first_bytes, return_ns, held_bytes;
/* In order of time, because packets leave in order of time. */
static struct acknowledgement *first, **end = &first;
/* The window that was acknowledged last, and when. */
static struct window *open;
static i64 opened_ns;

static void free_held(struct held *held) {
  while (held) {
    struct held *next = held->next;
    free(held);
    held = next;
  }
}

static void forget_all(void) {
  for (int port = 0; port < PORTS; port++) {
    while (windows[port]) {
      struct window *window = windows[port];
      windows[port] = window->next;
      free_held(window->first);
      free(window);
    }
  }
  while (first) {
    struct acknowledgement *next = first->next;
    free(first);
    first = next;
  }
  end = &first;
  open = 0;
  held_bytes = has_windows = 0;
}

void begin_windows(i64 bytes, i64 given_return_ns, int keeps_connections) {
  if (!keeps_connections && has_windows) forget_all();
  first_bytes = bytes;
  return_ns = given_return_ns;
}

/* The window of a packet's connection; 0: no window. */
static struct window *window_of(const u8 *packet, int length, int makes) {
  int bytes;
  const u8 *segment = segment_of(packet, length, &bytes);
  if (!segment || !is_udp(packet) || bytes < UDP_BYTES) return 0;
  u32 address;
  memcpy(&address, packet + HEADER_BYTES + SOURCE_ADDRESS, sizeof address);
  u64 server = (u64)address << 16 | segment[0] << 8 | segment[1];
  struct window **at = &windows[home_port(1, segment[2] << 8 | segment[3])];
  while (*at && (*at)->server != server) at = &(*at)->next;
  if (!*at && makes) {
    *at = malloc(sizeof(struct window));
    memset(*at, 0, sizeof(struct window));
    (*at)->server = server;
    (*at)->end = &(*at)->first;
    has_windows = 1;
  }
  return *at;
}

/* The payload of a packet, or of a group of packets, with a window. */
static int payload_bytes(const u8 *packet, int length) {
  int bytes;
  segment_of(packet, length, &bytes);
  return bytes - UDP_BYTES;
}

/* Of one packet of a group (gso_size of struct virtio_net_hdr). */
static int bytes_of_one(const u8 *packet, int payload) {
  int each = packet[4] | packet[5] << 8;
  return each == 0 || each > payload ? payload : each;
}

static i64 window_bytes(const struct window *window) {
  return first_bytes + window->grown;
}

/* As senders do, exceeds the window by a part of the last packet. */
static int has_room(const struct window *window, const u8 *packet, int length) {
  i64 in_flight = window->released - window->acknowledged;
  int payload = payload_bytes(packet, length);
  return window->is_over || !first_bytes || in_flight == 0 ||
      in_flight + payload - bytes_of_one(packet, payload) < window_bytes(window);
}

/* The measure of use is that of Linux (tcp_cwnd_validate()). */
static void count_released(struct window *window, const u8 *packet, int length) {
  window->released += payload_bytes(packet, length);
  i64 in_flight = window->released - window->acknowledged;
  if (window->acknowledged < window->round_end && in_flight <= window->most_in_flight) return;
  window->most_in_flight = in_flight;
  window->round_end = window->released;
}

static void acknowledge(struct window *window, int bytes) {
  window->acknowledged += bytes;
  /* An unused window does not grow (RFC 9002, section 7.8). */
  if (2 * window->most_in_flight > window_bytes(window)) window->grown += bytes;
}

static struct acknowledgement *acknowledgement_of(struct window *window, i64 at_ns, int bytes) {
  struct acknowledgement *made = malloc(sizeof(struct acknowledgement));
  made->next = 0;
  made->at_ns = at_ns;
  made->window = window;
  made->bytes = bytes;
  return made;
}

/* Releases what a connection holds at once, before any acknowledgement. */
static void end_at(struct window *window, i64 now_ns) {
  if (window->is_over) return;
  window->is_over = 1;
  struct acknowledgement *made = acknowledgement_of(window, now_ns, 0);
  if (!first) end = &made->next;
  made->next = first;
  first = made;
}

int hold(const u8 *packet, int length, i64 now_ns) {
  struct window *window = first_bytes ? window_of(packet, length, 1) : 0;
  if (!window) return 0;
  if (!window->first && has_room(window, packet, length)) {
    count_released(window, packet, length);
    return 0;
  }
  struct held *held = malloc(sizeof(struct held) + length);
  held->next = 0;
  held->length = length;
  memcpy(held->bytes, packet, length);
  *window->end = held;
  window->end = &held->next;
  held_bytes += length;
  if (held_bytes > MOST_HELD_BYTES) end_at(window, now_ns);
  return 1;
}

struct held *release(i64 now_ns) {
  for (;;) {
    struct held *held = open ? open->first : 0;
    if (held && has_room(open, held->bytes, held->length)) {
      open->first = held->next;
      if (!open->first) open->end = &open->first;
      held_bytes -= held->length;
      held->released_ns = opened_ns;
      count_released(open, held->bytes, held->length);
      return held;
    }
    struct acknowledgement *next = first;
    if (!next || next->at_ns > now_ns) return 0;
    first = next->next;
    if (!first) end = &first;
    open = next->window;
    opened_ns = next->at_ns;
    acknowledge(open, next->bytes);
    free(next);
  }
}

i64 next_release_ns(void) {
  return held_bytes > 0 && first ? first->at_ns : -1;
}

void note_left(const u8 *packet, int length, i64 now_ns) {
  struct window *window = window_of(packet, length, 0);
  if (!window) return;
  *end = acknowledgement_of(window, now_ns + return_ns, payload_bytes(packet, length));
  end = &(*end)->next;
}

void end_window(const u8 *packet, int length, i64 now_ns) {
  struct window *window = window_of(packet, length, 0);
  if (window) end_at(window, now_ns);
}
