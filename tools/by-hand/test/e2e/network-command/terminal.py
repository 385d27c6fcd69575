"""Runs a program on a terminal of its own and types: terminal.py STEPS PROGRAM [ARGUMENT...]

STEPS is JSON: [["shows", "a text"], ["types", "a line"], ["key", 3], ["waits", 0.5], ...]. Prints what the terminal showed; the exit status is the
program's, or 1 when it did not show what it should within 60 s.
"""

import json
import os
import pty
import select
import sys
import time

_LIMIT_S = 60


def main(steps, command):
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvp(command[0], command)
    began = time.monotonic()
    seen = b""

    def look(for_s):
        """Whether the terminal is still there."""
        nonlocal seen
        if not select.select([terminal], [], [], for_s)[0]:
            return True
        try:
            shown = os.read(terminal, 65536)
        except OSError:
            return False
        seen += shown
        sys.stdout.buffer.write(shown)
        sys.stdout.flush()
        return True

    for what, value in steps:
        if what == "shows":
            while value.encode() not in seen:
                if time.monotonic() - began > _LIMIT_S or not look(0.1):
                    sys.exit(f"it did not show {value}")
            seen = seen.split(value.encode(), 1)[1]
        elif what == "waits":
            end = time.monotonic() + value
            while time.monotonic() < end:
                look(0.05)
        else:
            os.write(terminal, bytes([value]) if what == "key" else f"{value}\n".encode())
    while look(1) and time.monotonic() - began < _LIMIT_S:
        pass
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


if __name__ == "__main__":
    sys.exit(main(json.loads(sys.argv[1]), sys.argv[2:]))
