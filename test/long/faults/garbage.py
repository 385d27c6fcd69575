"""Answers garbage in place of a program: takes its sockets over, which have to be its own no more.

    python garbage.py SECONDS PID [PID ...]

The programs are stopped (SIGSTOP) by whoever starts this. Their sockets are copied (pidfd_getfd), so that this
process answers at the very addresses of the programs, on connections that are open as well as on new ones.
"""

import ctypes
import os
import select
import socket
import sys
import time

_PIDFD_GETFD = 438
_GARBAGE = bytes(range(256)) * 4

_libc = ctypes.CDLL(None, use_errno=True)


def main():
    end = time.monotonic() + float(sys.argv[1])
    taken = [each for pid in sys.argv[2:] for each in sockets_of(int(pid))]
    print(len(taken), flush=True)
    for each in taken:
        if each.type == socket.SOCK_STREAM and not listens(each):
            talk(each)
    while time.monotonic() < end:
        readable, _, _ = select.select(taken, [], [], 0.1)
        for each in readable:
            answer(each, taken)


def sockets_of(pid):
    """Copies of the sockets of a process over IP."""
    pidfd = os.pidfd_open(pid)
    for name in os.listdir(f"/proc/{pid}/fd"):
        try:
            if not os.readlink(f"/proc/{pid}/fd/{name}").startswith("socket:"):
                continue
        except OSError:
            continue
        copied = _libc.syscall(_PIDFD_GETFD, pidfd, int(name), 0)
        if copied < 0:
            raise OSError(ctypes.get_errno(), "pidfd_getfd")
        found = socket.socket(fileno=copied)
        if found.family in (socket.AF_INET, socket.AF_INET6):
            found.setblocking(False)
            yield found


def listens(each):
    return each.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN) == 1


def answer(each, taken):
    try:
        if each.type == socket.SOCK_DGRAM:
            _, peer = each.recvfrom(65536)
            each.sendto(_GARBAGE, peer)
        elif listens(each):
            connection, _ = each.accept()
            connection.setblocking(False)
            taken.append(connection)
        elif each.recv(65536):
            talk(each)
        else:
            taken.remove(each)
    except OSError:
        if each.type == socket.SOCK_STREAM and not listens(each):
            taken.remove(each)


def talk(connection):
    try:
        connection.send(_GARBAGE)
    except OSError:
        pass  # Its other end is gone.


main()
