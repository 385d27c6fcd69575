"""Child processes that must not wait for the agent; they exchange lines of JSON with it."""

import json
import os
import socket
import traceback

import namespaces

_ANSWER_LIMIT_S = 5
# Allows for a busy or emulated machine.
_START_LIMIT_S = 9


class HelperExited(Exception):
    """The process has ended, does not answer, or has lost its device."""


class HelperProcess:
    """A process that runs `work`, a function of its end of a socket; messages call it `name`.

    The kernel ends it with the agent.
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
        # Reason for rejecting further requests: a late answer could be taken for that of another request.
        self._gone = None

    def request(self, request):
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
        """The next message: an answer, or one sent without a request."""
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
        """The first message: whether this machine allows the work."""
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
    """Sends a message from the helper process to the agent."""
    control.sendall(json.dumps(answer).encode() + b"\n")


def send_refusal(control, error):
    """Reports a NotAllowed to the agent."""
    send(control, {"status": 3, "error": str(error), "remedy": error.remedy})
