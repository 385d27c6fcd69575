#!/busybox sh
# First process of the guest: lays the host's files (read-only, over 9p) under a layer in memory, runs /command
# there, prints its status on the second serial line after its output, and switches the guest off.
/busybox mkdir -p /proc /host /layer /root
/busybox mount -t proc proc /proc
while read -r module; do
  /busybox insmod "/modules/$module" || echo "insmod $module failed"
done </modules/order

/busybox mount -t 9p -o trans=virtio,version=9p2000.L,ro,msize=524288,cache=loose host /host
/busybox mount -t tmpfs layer /layer
/busybox mkdir /layer/upper /layer/work
/busybox mount -t overlay -o lowerdir=/host,upperdir=/layer/upper,workdir=/layer/work overlay /root
/busybox mount -t proc proc /root/proc
/busybox mount -t sysfs sysfs /root/sys
/busybox mount -t devtmpfs dev /root/dev
/busybox cp /command /root/guest-command
/busybox stty -F /root/dev/ttyS1 raw

/busybox chroot /root /bin/sh /guest-command </root/dev/null >/root/dev/ttyS1 2>/root/dev/ttyS0
echo "guest ended: $?" >/root/dev/ttyS1
/busybox sleep 0.2 # The serial line empties on its own.
/busybox poweroff -f
