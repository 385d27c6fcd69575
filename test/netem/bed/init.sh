#!/busybox sh
# First process of the guest: lays the host's files (read-only, over 9p) under a layer in memory and goes on there.
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

/busybox mkdir /root/guest
/busybox cp /busybox /run.sh /command /root/guest
# Not chroot: the kernel makes no user namespaces for programs in one.
exec /busybox switch_root /root /guest/busybox sh /guest/run.sh
