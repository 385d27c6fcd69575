/*
 * A router at the client's end that forgets, in the middle of a load, which connections it knew. Their packets go on from another
 * port, maybe of another address, and what comes for the old one goes nowhere.
 */

/* What the event of a load did. */
struct rebound {
  /* Connections that it changed, those begun later, and packets to the client that nobody knew any more. */
  i64 changed, later, forgotten;
};

/*
 * A load begins. Its event changes the connections that there are by then, or none. `address`: the client's from then on, as 4 bytes
 * in the order of packets; 0: its own. Connections of earlier loads stay as they are.
 */
void begin_rebinding(int keeps_connections, int changes, u32 address);

/* Gives a packet of the client the port and address that its connection has by now. */
void send_out(u8 *packet, int length, i64 now_ns, int of_load);

/* Whether a packet is for a port of the client that the router has forgotten. */
int is_forgotten(const u8 *packet, int length, i64 now_ns);

/* Gives a packet to the client its own port and address again. 0: it is forgotten. */
int bring_home(u8 *packet, int length, i64 now_ns);

/*
 * Gives a packet on the link the port and address that the client knows, and tells those that servers see. 0: they are the same.
 */
int bring_inside(int direction, u8 *packet, int length, u8 *outside_address);

void read_rebound(i64 now_ns, struct rebound *rebound);
