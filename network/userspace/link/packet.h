/* Header of every packet of a TUN device, passed on unchanged (struct virtio_net_hdr). */
#define HEADER_BYTES 10
#define MOST_IP_BYTES 65535
/* A qdisc counts this header too, which a real path would add. */
#define ETHERNET_HEADER_BYTES 14

#define TO_SERVER 0
#define TO_CLIENT 1
