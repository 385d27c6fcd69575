"""Processes of the agent's own that do what must not wait for it, and with which it speaks in lines of JSON."""

import json
import os
import socket
import traceback

import namespaces

_ANSWER_LIMIT_S = 5
# A program has to start, maybe on a machine that is busy or emulated.
_START_LIMIT_S = 9


class HelperExited(Exception):
    """Such a process has ended or does not answer, or has lost what it works with."""


class HelperProcess:
    """A process that does `work`, a function of its end of a socket; `name` is what users know it by.

    It ends with the agent, however that ends.
    """

    def __init__(self, name, work):
        self._name = name
        parent = os.getpid()
        ours, theirs = socket.socketpair()
        child = os.fork()
        if child == 0:
            try:
                ours.close()
                namespaces.die_with(parent)
                namespaces.let_go_of_streams()
                work(theirs)
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(1)
        theirs.close()
        self.pid = child
        self._socket = ours
        self._limit_s = _START_LIMIT_S
        self._socket.settimeout(self._limit_s)
        self._lines = ours.makefile("rw", encoding="utf-8")
        # Why it is of no use any more: a late answer must not be taken for that of another request.
        self._gone = None

    def ask(self, request):
        if self._gone:
            raise HelperExited(self._gone)
        try:
            self._lines.write(json.dumps(request) + "\n")
            self._lines.flush()
        except OSError as error:
            self._give_up(f"{self._name} has ended", error)
        answer = self.receive()
        if "gone" in answer:
            self._give_up(answer["gone"])
        return answer

    def receive(self):
        """What it says of its own accord, or as an answer."""
        try:
            line = self._lines.readline()
        except TimeoutError as error:
            self._give_up(f"{self._name} did not answer within {self._limit_s} s", error)
        except OSError as error:
            self._give_up(f"{self._name} has ended", error)
        if not line:
            self._give_up(f"{self._name} has ended")
        return json.loads(line)

    def receive_started(self):
        """The first that it says: whether this machine lets it work."""
        opened = self.receive()
        if "remedy" in opened:
            raise namespaces.NotAllowed(opened["error"], opened["remedy"])
        self._limit_s = _ANSWER_LIMIT_S
        self._socket.settimeout(self._limit_s)
        return opened

    def _give_up(self, reason, error=None):
        self._gone = reason
        raise HelperExited(reason) from error


def send(control, answer):
    """What a companion says through its end of the socket."""
    control.sendall(json.dumps(answer).encode() + b"\n")


def send_refusal(control, error):
    """Tells the agent of a NotAllowed."""
    send(control, {"status": 3, "error": str(error), "remedy": error.remedy})
