/* Changes the ports, and optionally the address, of the client's connections during a load. */

#include "libc.h"
#include "packet.h"
#include "ports.h"
#include "event.h"
#include "rebinding.h"

#define SOURCE_ADDRESS 12
#define TARGET_ADDRESS 16
#define IP_CHECKSUM 10
#define TCP_CHECKSUM 16
#define TCP_FLAGS 13
#define FIN_OR_RST 0x05
#define UDP_CHECKSUM 6
#define TCP_BYTES 20
#define UDP_BYTES 8
#define PORTS 65536
/* Linux assigns no port from here on to a client by itself. */
#define FIRST_OUTSIDE 61000
/* The receiver completes the checksum (struct virtio_net_hdr). */
#define NEEDS_CHECKSUM 1

/* A connection, identified by protocol and port of the client, as in routers (RFC 4787, section 4.1). */
struct flow {
  /* The load in which it was last used; 0: never. */
  u32 load;
  /* The port that servers see, 0: its own; and the client's port with this number outside, 0: no port. */
  int outside, inside;
  /* As 4 bytes; 0: the client's own. */
  u32 address;
  /* The client has closed its TCP connection. */
  int is_over;
};

static struct flow flows[2][PORTS];
/* Connections of the load before the event. */
static struct flow *known[2 * PORTS];
static int known_count;
static u32 load = 1;
static int changes, has_happened;
static u32 next_address, home_address;
static int next_outside = FIRST_OUTSIDE;
static struct rebound rebound;

void begin_rebinding(int keeps_connections, int changes_them, u32 address) {
  memset(&rebound, 0, sizeof rebound);
  has_happened = 0;
  if (!keeps_connections) {
    load++;
    known_count = 0;
  }
  changes = changes_them;
  next_address = address;
}

/* A port that neither the client nor the load uses, and that was not used for long; 0: not found. */
static int free_outside(struct flow *own) {
  for (int tried = FIRST_OUTSIDE; tried < PORTS; tried++) {
    int port = next_outside++;
    if (next_outside == PORTS) next_outside = FIRST_OUTSIDE;
    if (own[port].load != load && own[own[port].inside].load != load) return port;
  }
  return 0;
}

static void change(struct flow *flow) {
  int udp = flow >= flows[1];
  struct flow *own = flows[udp];
  int outside = free_outside(own);
  if (!outside) return;
  /* The port's previous owner belongs to an earlier load. */
  own[own[outside].inside].outside = 0;
  own[flow->outside].inside = 0;
  own[outside].inside = flow - own;
  flow->outside = outside;
  flow->address = next_address;
  own_port(udp, outside);
  rebound.changed++;
}

static void happen_if_due(i64 now_ns) {
  if (has_happened || event_ns(now_ns) < 0) return;
  has_happened = 1;
  for (int each = 0; changes && each < known_count; each++) {
    struct flow *flow = known[each];
    /* A connection whose port was reused is in the list twice. */
    if (!flow->is_over && !flow->outside) change(flow);
  }
}

/* Registers a connection at its first packet in the load. */
static void meet(struct flow *own, struct flow *flow) {
  if (flow->load == load) return;
  flow->load = load;
  flow->is_over = 0;
  own[flow->outside].inside = 0;
  flow->outside = 0;
  if (!has_happened && known_count < 2 * PORTS) known[known_count++] = flow;
  else rebound.later++;
}

static u32 number_at(const u8 *bytes) {
  return bytes[0] << 8 | bytes[1];
}

static void put_number(u8 *bytes, u32 number) {
  bytes[0] = number >> 8;
  bytes[1] = number;
}

/* Replaces 16 bits under a checksum (RFC 1624, equation 3); an incomplete checksum is the plain sum. */
static void replace(u8 *bytes, u32 number, u8 *checksum, int is_sum) {
  u32 flip = is_sum ? 0 : 0xffff;
  u32 sum = (number_at(checksum) ^ flip) + (number_at(bytes) ^ 0xffff) + number;
  sum = (sum & 0xffff) + (sum >> 16);
  sum = (sum & 0xffff) + (sum >> 16);
  put_number(checksum, sum ^ flip);
  put_number(bytes, number);
}

static void readdress(u8 *packet, u8 *segment, int at_source, int port, u32 address) {
  u8 *ip = packet + HEADER_BYTES;
  int udp = is_udp(packet);
  int is_sum = packet[0] & NEEDS_CHECKSUM;
  u8 *checksum = segment + (udp ? UDP_CHECKSUM : TCP_CHECKSUM);
  /* UDP may have no checksum (RFC 768), written as 0; a checksum of 0 is written as its complement. */
  int is_absent = udp && !is_sum && number_at(checksum) == 0;
  u8 absent[2] = {0, 0};
  if (is_absent) checksum = absent;
  u8 *place = ip + (at_source ? SOURCE_ADDRESS : TARGET_ADDRESS);
  for (int half = 0; half < 4; half += 2) {
    u32 number = number_at((u8 *)&address + half);
    u32 before = number_at(place + half);
    replace(place + half, number, checksum, is_sum);
    put_number(place + half, before);
    replace(place + half, number, ip + IP_CHECKSUM, 0);
  }
  u8 *ports = segment + (at_source ? 0 : 2);
  /* An incomplete checksum is computed later over the new ports. */
  if (is_sum) put_number(ports, port);
  else replace(ports, port, checksum, 0);
  if (udp && !is_absent && !is_sum && number_at(checksum) == 0) put_number(checksum, 0xffff);
}

static u32 address_at(const u8 *packet, int place) {
  u32 address;
  memcpy(&address, packet + HEADER_BYTES + place, sizeof address);
  return address;
}

/* The segment of a packet that has ports and a checksum; 0: another packet. */
static u8 *whole_segment(const u8 *packet, int length) {
  int bytes;
  const u8 *segment = segment_of(packet, length, &bytes);
  return segment && bytes >= (is_udp(packet) ? UDP_BYTES : TCP_BYTES) ? (u8 *)segment : 0;
}

void send_out(u8 *packet, int length, i64 now_ns, int of_load) {
  u8 *segment = whole_segment(packet, length);
  if (!segment) return;
  if (of_load) note_packet(now_ns);
  happen_if_due(now_ns);
  struct flow *own = flows[is_udp(packet)];
  struct flow *flow = &own[number_at(segment)];
  if (flow->is_over && begins(is_udp(packet), segment, TCP_BYTES)) flow->load = 0;
  if (of_load) meet(own, flow);
  if (!is_udp(packet) && segment[TCP_FLAGS] & FIN_OR_RST) flow->is_over = 1;
  if (!flow->outside) return;
  memcpy(&home_address, packet + HEADER_BYTES + SOURCE_ADDRESS, sizeof home_address);
  readdress(packet, segment, 1, flow->outside, flow->address ? flow->address : home_address);
}

int home_port(int udp, int port) {
  int inside = flows[udp][port].inside;
  return inside ? inside : port;
}

int is_forgotten(const u8 *packet, int length, i64 now_ns) {
  u8 *segment = whole_segment(packet, length);
  if (!segment) return 0;
  happen_if_due(now_ns);
  struct flow *named = &flows[is_udp(packet)][number_at(segment + 2)];
  return named->outside && !named->inside;
}

int bring_home(u8 *packet, int length, i64 now_ns) {
  u8 address[4];
  if (is_forgotten(packet, length, now_ns)) {
    rebound.forgotten++;
    return 0;
  }
  bring_inside(TO_CLIENT, packet, length, address);
  return 1;
}

int bring_inside(int direction, u8 *packet, int length, u8 *outside_address) {
  u8 *segment = whole_segment(packet, length);
  if (!segment) return 0;
  int at_source = direction == TO_SERVER;
  int outside = number_at(segment + (at_source ? 0 : 2));
  int inside = flows[is_udp(packet)][outside].inside;
  if (!inside) return 0;
  u8 *address = packet + HEADER_BYTES + (at_source ? SOURCE_ADDRESS : TARGET_ADDRESS);
  memcpy(outside_address, address, sizeof home_address);
  readdress(packet, segment, at_source, inside, home_address);
  return outside;
}

void read_rebound(i64 now_ns, struct rebound *read) {
  happen_if_due(now_ns);
  *read = rebound;
}
