"""Starting the link's process, and speaking with it."""

import json
import os
import socket
import traceback

import link
import namespaces
import priority
import tun

_ANSWER_LIMIT_S = 10


class Carrier:
    """A process of its own that holds a device in each of two namespaces and carries packets between.

    Each end is an open /proc/PID/ns/net and the name that its device is to have.
    """

    def __init__(self, client, server, may_lock_memory):
        parent = os.getpid()
        ours, theirs = socket.socketpair()
        child = os.fork()
        if child == 0:
            try:
                ours.close()
                _be_link(parent, theirs, client, server, may_lock_memory)
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(1)
        theirs.close()
        ours.settimeout(_ANSWER_LIMIT_S)
        self.lines = ours.makefile("rw", encoding="utf-8")
        opened = self._answer()
        if "remedy" in opened:
            raise namespaces.NotAllowed(opened["error"], opened["remedy"])

    def ask(self, request):
        try:
            self.lines.write(json.dumps(request) + "\n")
            self.lines.flush()
        except OSError:
            return {"status": 1, "stderr": "the link has ended"}
        return self._answer()

    def _answer(self):
        try:
            line = self.lines.readline()
        except OSError:
            line = ""
        if not line:
            return {"status": 1, "stderr": "the link has ended, or does not answer"}
        return json.loads(line)


def _be_link(parent, control, client, server, may_lock_memory):
    namespaces.die_with(parent)
    namespaces.let_go_of_streams()
    try:
        devices = [_open_device(namespace, name) for namespace, name in (client, server)]
    except namespaces.NotAllowed as error:
        answer = {"status": 3, "error": str(error), "remedy": error.remedy}
        control.sendall(json.dumps(answer).encode() + b"\n")
        return
    priority.take_priority(may_lock_memory)
    control.sendall(b'{"status": 0}\n')
    link.carry(control, *devices)


def _open_device(namespace, name):
    # The device belongs to the namespace in which it was opened, and the open file works in any.
    namespaces.enter_network_namespace(namespace)
    return tun.open_device(name)
