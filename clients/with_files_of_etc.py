"""Runs a command with its own versions of files in /etc:

    python with_files_of_etc.py FOLDER COMMAND...

Mounts the files of FOLDER over those of /etc with the same names, in a mount namespace that ends with the
command's last process. An ordinary user also gets a user namespace, which keeps the user ID.
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
    # Keeps these mounts inside the namespace.
    _must(_libc.mount(b"none", b"/", None, _MS_REC | _MS_PRIVATE, None), "private mounts")
    for name in os.listdir(folder):
        # Mounts need the real path of a link.
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
