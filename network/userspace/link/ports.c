/*
 * Selects a load's packets by the client's port: those of connections that the client began in it. Packets without
 * ports (ICMP) belong to no load: they answer packets of an earlier one. Alternatively, selects every packet.
 */

#include "libc.h"
#include "packet.h"
#include "ports.h"

#define TCP 6
#define UDP 17
#define DNS_PORT 53
/* Version 4 and a header without options, which are never sent here. */
#define PLAIN_IP 0x45
#define IP_BYTES 20
#define SYN 0x02
#define SYN_OR_ACK 0x12

/* The load in which a port of TCP or UDP was last used; 0: never. */
static u32 met[2][65536];
static u32 load = 1;
static int takes_everything;

void begin_ports(int keeps_connections, int everything) {
  if (!keeps_connections) load++;
  takes_everything = everything;
}

void own_port(int udp, int port) {
  met[udp][port] = load;
}

const u8 *segment_of(const u8 *packet, int length, int *segment_bytes) {
  const u8 *ip = packet + HEADER_BYTES;
  *segment_bytes = length - HEADER_BYTES - IP_BYTES;
  if (*segment_bytes < 0 || ip[0] != PLAIN_IP) return 0;
  return ip[9] == TCP || ip[9] == UDP ? ip + IP_BYTES : 0;
}

int is_udp(const u8 *packet) {
  return packet[HEADER_BYTES + 9] == UDP;
}

/* RFC 9000, section 17.2.2; RFC 9369, section 3.2. */
int begins(int udp, const u8 *segment, int bytes) {
  if (!udp) return bytes > 13 && (segment[13] & SYN_OR_ACK) == SYN;
  if (bytes < 13) return 0;
  int version_2 = segment[9] == 0x6b && segment[10] == 0x33 && segment[11] == 0x43 && segment[12] == 0xcf;
  return (segment[8] & 0xf0) == (version_2 ? 0xd0 : 0xc0);
}

static int is_of_load(int direction, const u8 *packet, int length) {
  int bytes;
  const u8 *segment = segment_of(packet, length, &bytes);
  if (!segment || bytes < 4) return 0;
  int udp = is_udp(packet);
  const u8 *port = direction == TO_SERVER ? segment : segment + 2;
  u32 *last = &met[udp][port[0] << 8 | port[1]];
  int is_old = *last != 0 && *last != load;
  if (is_old && (direction == TO_CLIENT || !begins(udp, segment, bytes))) return 0;
  *last = load;
  return 1;
}

int owns(int direction, const u8 *packet, int length) {
  return is_of_load(direction, packet, length) || takes_everything;
}

int is_udp_but_dns(const u8 *packet, int length) {
  int bytes;
  const u8 *segment = segment_of(packet, length, &bytes);
  if (!segment || bytes < 4 || !is_udp(packet)) return 0;
  return (segment[0] << 8 | segment[1]) != DNS_PORT && (segment[2] << 8 | segment[3]) != DNS_PORT;
}

int carries_data(const u8 *packet, int length) {
  int bytes;
  const u8 *segment = segment_of(packet, length, &bytes);
  if (!segment) return 0;
  return is_udp(packet) || (bytes > 12 && bytes > (segment[12] >> 4) * 4);
}
