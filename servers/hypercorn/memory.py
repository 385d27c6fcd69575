"""Memory that connections leave behind, given back to the system."""

import asyncio
import ctypes
import gc
import resource
from pathlib import Path

CHECK_INTERVAL_S = 10
# Nearly twice what the program has when it starts.
KEPT_BYTES = 96 * 2**20
# More than the loads of any page bring about.
LOADS_BYTES = 256 * 2**20
# From <malloc.h>.
M_MMAP_THRESHOLD = -3
M_ARENA_MAX = -8


async def release_memory(application):
    """Gives back, again and again, what connections leave behind that were many at a time.

    While a request is open, only if it is more than loads bring about: no load waits for it, and who never ends a request keeps nothing else.

    asyncio's buffers of 256 kB for each connection over TLS are part of cycles of few objects, and Python counts objects
    alone to decide when to look for such cycles.
    """
    # What was there at the start stays, and need not be looked at each time.
    gc.collect()
    gc.freeze()
    libc = ctypes.CDLL(None)
    # One heap for all threads, and large buffers outside of it: else small ones that stay keep all between them.
    libc.mallopt(M_ARENA_MAX, 1)
    libc.mallopt(M_MMAP_THRESHOLD, 128 * 1024)
    while True:
        await asyncio.sleep(CHECK_INTERVAL_S)
        if held_bytes() > (KEPT_BYTES if application.open == 0 else LOADS_BYTES):
            gc.collect()
            libc.malloc_trim(0)


def held_bytes():
    """What the program has of the system's memory."""
    resident_pages = Path("/proc/self/statm").read_text().split()[1]
    return int(resident_pages) * resource.getpagesize()
