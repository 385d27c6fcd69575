/* Treatments of UDP. */
#define PASSED 0
#define BLOCKED 1
#define REJECTED 2
#define THROTTLED 3

/* A throttled direction has a token bucket of `burst_bytes`, which is full at first. */
void treat_udp(int direction, int treatment, double ns_per_byte, i64 burst_bytes);

int treatment_of_udp(int direction);

int may_pass(int direction, const u8 *packet, int length, i64 now_ns);

/* Writes a router's ICMP error for a rejected packet, and returns its length; needs room for MOST_REFUSAL_BYTES. */
#define MOST_REFUSAL_BYTES (HEADER_BYTES + 576)
int refuse(const u8 *packet, int length, u8 *answer);
