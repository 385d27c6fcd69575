"""Has the prober run as soon as a packet is there: the path is measured, not how long a busy machine lets programs wait."""

import os
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "agent"))

import priority  # noqa: E402

# Under the link's, which must never wait for its own measurement.
_PRIORITY = 10


def raise_priority():
    """For the calling thread alone: as urgent as this machine allows."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(_PRIORITY))
    except OSError:
        priority.wake_on_time()
        priority.take_priority()
