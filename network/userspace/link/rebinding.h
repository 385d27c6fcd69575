/*
 * A router at the client's end that forgets its connections during a load. Their packets continue from another port,
 * and maybe another address; packets for the old one are dropped.
 */

/* Effects of a load's event. */
struct rebound {
  /* Connections changed, connections begun later, and packets to the client that were dropped. */
  i64 changed, later, forgotten;
};

/*
 * Begins a load. Its event changes the connections that exist by then, if `changes` is set. `address`: the client's
 * new address, as 4 bytes in network order; 0: its own. Connections of earlier loads stay unchanged.
 */
void begin_rebinding(int keeps_connections, int changes, u32 address);

/* Sets the current outside port and address in a packet of the client. */
void send_out(u8 *packet, int length, i64 now_ns, int of_load);

/* The client's own port, of the one that servers see. */
int home_port(int udp, int port);

int is_forgotten(const u8 *packet, int length, i64 now_ns);

/* Restores the client's own port and address in a packet to it. 0: forgotten. */
int bring_home(u8 *packet, int length, i64 now_ns);

/*
 * Sets the client's own port and address in a packet on the link, and returns those that servers see. 0: the same.
 */
int bring_inside(int direction, u8 *packet, int length, u8 *outside_address);

void read_rebound(i64 now_ns, struct rebound *rebound);
