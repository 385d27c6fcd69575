"""Runs the prober as soon as a packet arrives: the path is measured, not the scheduling delay of a busy machine."""

import os
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "agent"))

import priority  # noqa: E402

# Lower than the link's priority: the link must never wait for its own measurement.
_PRIORITY = 10


def raise_priority():
    """Sets the calling thread alone to the highest priority that the machine allows."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(_PRIORITY))
    except OSError:
        priority.wake_on_time()
        priority.take_priority()
