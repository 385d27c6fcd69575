"""Scheduling priority, on which a user-space link's accuracy depends."""

import ctypes
import os
import platform
import struct

_PRIORITY = 50
_SLICE_NS = 100_000
_PR_SET_TIMERSLACK = 29
# sched_setattr and sched_getattr have no function in the C library.
_SYSCALLS = {"x86_64": (314, 315), "aarch64": (274, 275), "riscv64": (274, 275)}
# size, policy, flags, nice, priority, runtime, deadline, period
_ATTRIBUTES = struct.Struct("IIQiIQQQ")

_libc = ctypes.CDLL(None, use_errno=True)


def wake_on_time():
    """Makes the timers of this process exact, also after exec.

    By default they are 50 us late, so that wake-ups can be bundled.
    """
    _libc.prctl(_PR_SET_TIMERSLACK, 1, 0, 0, 0)


def take_priority(thread=0):
    """Gives a thread, by default this one, the best allowed priority, and returns it: fifo, eevdf or none."""
    try:
        parameters = os.sched_param(_PRIORITY)
        os.sched_setscheduler(thread, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, parameters)
        return "fifo"
    except OSError:
        return "eevdf" if _set_short_slice(thread) else "none"


def find_priority():
    """The result of take_priority() in a child that ends at once."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(write_end, take_priority().encode())
        finally:
            os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end, "rb") as answer:
        reached = answer.read().decode()
    os.waitpid(child, 0)
    return reached or "none"


def _set_short_slice(thread):
    """A short slice makes the scheduler (Linux 6.12 and newer) run a thread soon after it wakes."""
    if platform.machine() not in _SYSCALLS:
        return False
    set_number, get_number = _SYSCALLS[platform.machine()]
    size = _ATTRIBUTES.size
    attributes = ctypes.create_string_buffer(_ATTRIBUTES.pack(size, 0, 0, 0, 0, _SLICE_NS, 0, 0), size)
    if _libc.syscall(set_number, thread, attributes, 0) != 0:
        return False
    got = ctypes.create_string_buffer(size)
    if _libc.syscall(get_number, thread, got, size, 0) != 0:
        return False
    # Older kernels accept the slice and ignore it.
    return _ATTRIBUTES.unpack(got.raw)[5] == _SLICE_NS
