"""Starting the link's process, and speaking with it."""

import companion
import link
import namespaces
import priority
import tun


class Carrier(companion.Companion):
    """A process of its own that holds a device in each of two namespaces and carries packets between.

    Each end is an open /proc/PID/ns/net and the name that its device is to have.
    """

    def __init__(self, client, server, longest_packet_bytes, segmentation, may_lock_memory):
        def work(control):
            devices = _open_devices(control, (client, server), segmentation)
            if devices:
                companion.say(control, {"status": 0, "realtime": priority.take_priority(may_lock_memory)})
                link.carry(control, *devices, longest_packet_bytes)

        super().__init__("the link's program", work)
        # What it has, which need not be what it could have had when the agent tried.
        self.realtime = self.hear_opened()["realtime"]


def _open_devices(control, ends, segmentation):
    """The open devices, or None when this machine does not allow them, which is told to whoever asked."""
    devices = []
    try:
        for namespace, name in ends:
            # The device belongs to the namespace in which it was opened, and the open file works in any.
            namespaces.enter_network_namespace(namespace)
            devices.append(tun.open_device(name, segmentation))
    except namespaces.NotAllowed as error:
        companion.say_refusal(control, error)
        return None
    return devices
