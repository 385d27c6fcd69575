/* A load's packets, appended to memory that another process reads after the load. */

#include "libc.h"
#include "packet.h"
#include "capture.h"
#include "rebinding.h"

/* Header of a packet in memory; the next one begins at a multiple of 8. */
struct kept {
  i64 arrived_ns, left_ns, place;
  int length;
  u8 direction, fate;
  /* The client's port and address as servers see them; 0: the same as in the packet. */
  u16 outside_port;
  u8 outside_address[4], unused[4];
};

static u8 *memory;
static i64 most_bytes, used_bytes, earlier_bytes, missed;
/* -1: not counted yet, so that all is included. */
static i64 counted_bytes = -1, end_bytes = -1;

void keep_packets_in(u8 *given, i64 bytes) {
  memory = given;
  most_bytes = bytes;
}

void begin_capture(int keeps_connections) {
  if (!keeps_connections) used_bytes = missed = 0;
  earlier_bytes = used_bytes;
  counted_bytes = end_bytes = -1;
}

void keep_packet(
    int direction, i64 arrived_ns, i64 left_ns, i64 place, int fate, const u8 *packet, int length) {
  i64 bytes = (sizeof(struct kept) + length + 7) & ~7L;
  if (used_bytes + bytes > most_bytes) {
    missed++;
    return;
  }
  struct kept *kept = (struct kept *)(memory + used_bytes);
  kept->arrived_ns = arrived_ns;
  kept->left_ns = left_ns;
  kept->place = place;
  kept->length = length;
  kept->direction = direction;
  kept->fate = fate;
  memcpy(kept + 1, packet, length);
  kept->outside_port = bring_inside(direction, (u8 *)(kept + 1), length, kept->outside_address);
  used_bytes += bytes;
}

void count_capture(void) {
  counted_bytes = used_bytes;
}

void end_capture(void) {
  end_bytes = used_bytes;
}

void capture_places(i64 *places) {
  places[0] = earlier_bytes;
  places[1] = counted_bytes < 0 ? used_bytes : counted_bytes;
  places[2] = end_bytes < 0 ? used_bytes : end_bytes;
  places[3] = missed;
}
