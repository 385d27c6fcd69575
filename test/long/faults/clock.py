"""Sets the clock of the machine forward by some seconds, for a moment, and puts it right again.

    python clock.py SECONDS MOMENT

Right again is what it was, and the time that went by since then on a clock that nobody can set.
"""

import sys
import time


def main():
    jump, moment = float(sys.argv[1]), float(sys.argv[2])
    offset = time.time() - time.monotonic()
    time.clock_settime(time.CLOCK_REALTIME, time.time() + jump)
    try:
        time.sleep(moment)
    finally:
        time.clock_settime(time.CLOCK_REALTIME, time.monotonic() + offset)


main()
