/* Precedes every packet of a TUN device, and is passed on as it is (struct virtio_net_hdr). */
#define HEADER_BYTES 10
#define MOST_IP_BYTES 65535
/* Packets are counted as a qdisc counts them, with the Ethernet header that a real path would add. */
#define ETHERNET_HEADER_BYTES 14

#define TO_SERVER 0
#define TO_CLIENT 1
