"""Runs a command in a network namespace, with files of its own in place of some of /etc:

    python enter.py PID FOLDER COMMAND...

PID is a process in the namespace. The files of FOLDER are mounted over those of /etc that have the same
names, for the command and what it starts alone: the mounts end with the last of them. The command ends with
whoever started it.
"""

import ctypes
import os
import signal
import sys

_CLONE_NEWNS = 0x00020000
_CLONE_NEWUSER = 0x10000000
_CLONE_NEWNET = 0x40000000
_MS_BIND = 0x1000
_MS_REC = 0x4000
_MS_PRIVATE = 0x40000
_PR_SET_PDEATHSIG = 1

_libc = ctypes.CDLL(None, use_errno=True)


def main(pid, folder, command):
    if os.readlink(f"/proc/{pid}/ns/user") != os.readlink("/proc/self/ns/user"):
        _enter(pid, "user", _CLONE_NEWUSER)
    _enter(pid, "net", _CLONE_NEWNET)
    _must(_libc.unshare(_CLONE_NEWNS), "a mount namespace")
    # Nothing that is mounted here is seen outside.
    _must(_libc.mount(b"none", b"/", None, _MS_REC | _MS_PRIVATE, None), "private mounts")
    for name in os.listdir(folder):
        # A mount lies over what a link leads to.
        own, theirs = (os.fsencode(os.path.realpath(f"{each}/{name}")) for each in (folder, "/etc"))
        _must(_libc.mount(own, theirs, None, _MS_BIND, None), f"mounting over /etc/{name}")
    # At last: the kernel forgets it when a process gets other rights.
    _must(_libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "ending with the caller")
    os.execvp(command[0], command)


def _enter(pid, kind, flag):
    with open(f"/proc/{pid}/ns/{kind}", "rb") as namespace:
        _must(_libc.setns(namespace.fileno(), flag), f"entering the {kind} namespace of {pid}")


def _must(status, what):
    if status != 0:
        number = ctypes.get_errno()
        sys.exit(f"{what}: {os.strerror(number)}")


main(sys.argv[1], sys.argv[2], sys.argv[3:])
