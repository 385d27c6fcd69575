"""Starting the link's process, and speaking with it."""

import json
import os
import socket
import traceback

import link
import namespaces
import priority
import tun

_ANSWER_LIMIT_S = 5


class LinkGone(Exception):
    """The link's program has ended or does not answer, or a device of it was deleted."""


class Carrier:
    """A process of its own that holds a device in each of two namespaces and carries packets between.

    Each end is an open /proc/PID/ns/net and the name that its device is to have.
    """

    def __init__(self, client, server, longest_packet_bytes, segmentation, may_lock_memory):
        parent = os.getpid()
        ours, theirs = socket.socketpair()
        child = os.fork()
        if child == 0:
            try:
                ours.close()
                namespaces.die_with(parent)
                namespaces.let_go_of_streams()
                devices = _open_devices(theirs, (client, server), segmentation)
                if devices:
                    answer = {"status": 0, "realtime": priority.take_priority(may_lock_memory)}
                    theirs.sendall(json.dumps(answer).encode() + b"\n")
                    link.carry(theirs, *devices, longest_packet_bytes)
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(1)
        theirs.close()
        ours.settimeout(_ANSWER_LIMIT_S)
        self.lines = ours.makefile("rw", encoding="utf-8")
        # Why it is of no use any more: a late answer must not be taken for that of another request.
        self.gone = None
        opened = self._hear()
        if "remedy" in opened:
            raise namespaces.NotAllowed(opened["error"], opened["remedy"])
        # What it has, which need not be what it could have had when the agent tried.
        self.realtime = opened["realtime"]

    def ask(self, request):
        if self.gone:
            raise LinkGone(self.gone)
        try:
            self.lines.write(json.dumps(request) + "\n")
            self.lines.flush()
        except OSError as error:
            self._give_up("the link's program has ended", error)
        answer = self._hear()
        if "gone" in answer:
            self._give_up(answer["gone"])
        return answer

    def _hear(self):
        try:
            line = self.lines.readline()
        except TimeoutError as error:
            self._give_up(f"the link's program did not answer within {_ANSWER_LIMIT_S} s", error)
        except OSError as error:
            self._give_up("the link's program has ended", error)
        if not line:
            self._give_up("the link's program has ended")
        return json.loads(line)

    def _give_up(self, reason, error=None):
        self.gone = reason
        raise LinkGone(reason) from error


def _open_devices(control, ends, segmentation):
    """The open devices, or None when this machine does not allow them, which is told to whoever asked."""
    devices = []
    try:
        for namespace, name in ends:
            # The device belongs to the namespace in which it was opened, and the open file works in any.
            namespaces.enter_network_namespace(namespace)
            devices.append(tun.open_device(name, segmentation))
    except namespaces.NotAllowed as error:
        answer = {"status": 3, "error": str(error), "remedy": error.remedy}
        control.sendall(json.dumps(answer).encode() + b"\n")
        return None
    return devices
