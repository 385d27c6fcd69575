"""Memory that connections leave behind, given back to the system."""

import asyncio
import ctypes
import gc
import resource
from pathlib import Path

BETWEEN_LOOKS_S = 10
# More than the loads of any page leave behind.
KEPT_BYTES = 128 * 2**20


async def release_memory(application):
    """Gives back, again and again, what connections leave behind that were many at a time; never while a request is open, so no load waits for it.

    asyncio's buffers of 256 kB for each connection over TLS are part of cycles of few objects, and Python counts objects
    alone to decide when to look for such cycles.
    """
    # What was there at the start stays, and need not be looked at each time.
    gc.collect()
    gc.freeze()
    give_back = ctypes.CDLL(None).malloc_trim
    while True:
        await asyncio.sleep(BETWEEN_LOOKS_S)
        if application.open == 0 and held_bytes() > KEPT_BYTES:
            gc.collect()
            give_back(0)


def held_bytes():
    """What the program has of the system's memory."""
    resident_pages = Path("/proc/self/statm").read_text().split()[1]
    return int(resident_pages) * resource.getpagesize()
