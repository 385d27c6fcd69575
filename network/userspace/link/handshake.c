/* Lets the set-up of connections take a round trip more or less. */

#include "libc.h"
#include "packet.h"
#include "ports.h"
#include "rebinding.h"
#include "handshake.h"

#define TCP_FLAGS 13
#define SYN 0x02

/* A UDP flow, identified by the client's port; `load` 0: never used. */
struct flow {
  u32 load;
  i64 began_ns;
};

static struct flow flows[65536];
static u32 load = 1;
static int change;

void begin_handshakes(int given_change, int keeps_connections) {
  change = given_change;
  if (!keeps_connections) load++;
}

i64 entry_ns(const u8 *packet, int length, i64 now_ns, i64 round_trip_ns) {
  int bytes;
  const u8 *segment = change == ONE_ROUND_TRIP_MORE ? segment_of(packet, length, &bytes) : 0;
  if (!segment || bytes < 4) return now_ns;
  /* After its SYN a client waits for the answer. */
  if (!is_udp(packet)) return begins(0, segment, bytes) ? now_ns + round_trip_ns : now_ns;
  struct flow *flow = &flows[home_port(1, segment[0] << 8 | segment[1])];
  if (flow->load != load) {
    flow->load = load;
    flow->began_ns = now_ns;
  }
  i64 until_ns = flow->began_ns + round_trip_ns;
  return until_ns > now_ns ? until_ns : now_ns;
}

int crosses_at_once(const u8 *packet, int length) {
  int bytes;
  const u8 *segment = change == ONE_ROUND_TRIP_LESS ? segment_of(packet, length, &bytes) : 0;
  return segment && !is_udp(packet) && bytes > TCP_FLAGS && segment[TCP_FLAGS] & SYN;
}
