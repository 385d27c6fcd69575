"""Runs a command for which files in /etc are others than for the rest of the machine:

    python with_files_of_etc.py FOLDER COMMAND...

The files of FOLDER are mounted over those of /etc that have the same names, for the command and what it
starts alone: the mounts end with the last of them. An ordinary user gets a user namespace for it, in which
he stays who he is.
"""

import ctypes
import os
import sys

_CLONE_NEWNS = 0x00020000
_CLONE_NEWUSER = 0x10000000
_MS_BIND = 0x1000
_MS_REC = 0x4000
_MS_PRIVATE = 0x40000

_libc = ctypes.CDLL(None, use_errno=True)


def main(folder, command):
    uid, gid = os.getuid(), os.getgid()
    if _libc.unshare(_CLONE_NEWNS) != 0:
        _must(_libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNS), "a mount namespace")
        _write("setgroups", "deny")
        _write("uid_map", f"{uid} {uid} 1")
        _write("gid_map", f"{gid} {gid} 1")
    # Nothing that is mounted here is seen outside.
    _must(_libc.mount(b"none", b"/", None, _MS_REC | _MS_PRIVATE, None), "private mounts")
    for name in os.listdir(folder):
        # A mount lies over what a link leads to.
        own, theirs = (os.path.realpath(f"{each}/{name}") for each in (folder, "/etc"))
        if os.path.exists(theirs):
            _must(_libc.mount(os.fsencode(own), os.fsencode(theirs), None, _MS_BIND, None), f"mounting over /etc/{name}")
    os.execvp(command[0], command)


def _write(name, text):
    with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
        file.write(text)


def _must(status, what):
    if status != 0:
        sys.exit(f"{what}: {os.strerror(ctypes.get_errno())}")


main(sys.argv[1], sys.argv[2:])
