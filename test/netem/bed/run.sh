# The guest's first process from then on: runs the command, says on the second serial line how it ended, after the
# command's own output, and switches the guest off. The command's complaints go to the first, with the kernel's.
/guest/busybox stty -F /dev/ttyS1 raw
/bin/sh /guest/command </dev/null >/dev/ttyS1 2>/dev/ttyS0
echo "guest ended: $?" >/dev/ttyS1
/guest/busybox sleep 0.2 # The serial line empties in its own time.
/guest/busybox poweroff -f
