/* Networks that block UDP, reject it, or limit its rate. */

#include "libc.h"
#include "packet.h"
#include "ports.h"
#include "udp.h"

#define IP_BYTES 20
#define ICMP_BYTES 8
#define ICMP 1
#define TTL 64
#define DESTINATION_UNREACHABLE 3
/* Communication administratively prohibited (RFC 1812, section 5.2.7.1). */
#define PROHIBITED 13

struct treatment {
  int kind;
  double ns_per_byte;
  i64 burst_bytes;
  /* Time at which the bucket will be full. */
  double full_at_ns;
};

static struct treatment treatments[2];

void treat_udp(int direction, int treatment, double ns_per_byte, i64 burst_bytes) {
  struct treatment treated = {treatment, ns_per_byte, burst_bytes, 0};
  treatments[direction] = treated;
}

int treatment_of_udp(int direction) {
  return treatments[direction].kind;
}

int may_pass(int direction, const u8 *packet, int length, i64 now_ns) {
  struct treatment *treated = &treatments[direction];
  if (treated->kind == PASSED || !is_udp_but_dns(packet, length)) return 1;
  if (treated->kind != THROTTLED) return 0;
  int counted_bytes = length - HEADER_BYTES + ETHERNET_HEADER_BYTES;
  double full_at_ns = treated->full_at_ns > now_ns ? treated->full_at_ns : now_ns;
  full_at_ns += counted_bytes * treated->ns_per_byte;
  if (full_at_ns - now_ns > treated->burst_bytes * treated->ns_per_byte) return 0;
  treated->full_at_ns = full_at_ns;
  return 1;
}

/* Writes the checksum of RFC 1071. */
static void put_checksum(u8 *place, const u8 *bytes, int length) {
  u32 sum = 0;
  for (int at = 0; at < length; at++) sum += at % 2 ? bytes[at] : bytes[at] << 8;
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  place[0] = ~sum >> 8;
  place[1] = ~sum;
}

/* The error's source is the destination's address: the path has no router between its ends. */
int refuse(const u8 *packet, int length, u8 *answer) {
  const u8 *refused = packet + HEADER_BYTES;
  u8 *ip = answer + HEADER_BYTES, *icmp = ip + IP_BYTES;
  int quoted_bytes = length - HEADER_BYTES;
  int most_bytes = MOST_REFUSAL_BYTES - HEADER_BYTES - IP_BYTES - ICMP_BYTES;
  if (quoted_bytes > most_bytes) quoted_bytes = most_bytes;
  int ip_bytes = IP_BYTES + ICMP_BYTES + quoted_bytes;
  memset(answer, 0, HEADER_BYTES + IP_BYTES + ICMP_BYTES);
  ip[0] = 0x45;
  ip[2] = ip_bytes >> 8;
  ip[3] = ip_bytes;
  ip[8] = TTL;
  ip[9] = ICMP;
  memcpy(ip + 12, refused + 16, 4);
  memcpy(ip + 16, refused + 12, 4);
  put_checksum(ip + 10, ip, IP_BYTES);
  icmp[0] = DESTINATION_UNREACHABLE;
  icmp[1] = PROHIBITED;
  memcpy(icmp + ICMP_BYTES, refused, quoted_bytes);
  put_checksum(icmp + 2, icmp, ICMP_BYTES + quoted_bytes);
  return HEADER_BYTES + ip_bytes;
}
