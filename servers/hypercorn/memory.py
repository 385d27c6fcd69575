"""Returns memory of ended connections to the system."""

import asyncio
import ctypes
import gc
import resource
from pathlib import Path

CHECK_INTERVAL_S = 10
# Nearly twice what the program has when it starts.
KEPT_BYTES = 96 * 2**20
# More than the loads of any page use.
LOADS_BYTES = 256 * 2**20
# From <malloc.h>.
M_MMAP_THRESHOLD = -3
M_ARENA_MAX = -8


async def release_memory(application):
    """Returns memory every CHECK_INTERVAL_S if the program holds too much.

    The limit is higher while a request is open: no load waits for a collection, and an endless request does not prevent all.

    asyncio's buffers (256 kB per TLS connection) are in reference cycles of few objects, and Python collects cycles only by
    the number of objects.
    """
    # Excludes the objects of the start from collections.
    gc.collect()
    gc.freeze()
    libc = ctypes.CDLL(None)
    # One heap for all threads, and large buffers outside of it, so that small remaining ones do not keep the heap large.
    libc.mallopt(M_ARENA_MAX, 1)
    libc.mallopt(M_MMAP_THRESHOLD, 128 * 1024)
    while True:
        await asyncio.sleep(CHECK_INTERVAL_S)
        if held_bytes() > (KEPT_BYTES if application.open == 0 else LOADS_BYTES):
            gc.collect()
            libc.malloc_trim(0)


def held_bytes():
    """Resident memory of the program, in bytes."""
    resident_pages = Path("/proc/self/statm").read_text().split()[1]
    return int(resident_pages) * resource.getpagesize()
