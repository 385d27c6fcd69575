"""The user-space link: carries packets between two TUN devices, each direction as asked."""

import errno
import gc
import json
import os
import select
import time

import capture
import direction
import ports
import tun

# So many packets are read before the clock is looked at again.
_BATCH = 16
# Asking for packets that are there already takes less.
_NO_SLEEP_NS = 20_000


class Lead:
    """By how much to begin early, because the kernel wakes a sleeper late.

    It follows the median of how late the last sleeps ended, so that packets leave on time on
    average. Waiting the rest out awake would be more exact, and take a processor from the browser.
    """

    FIRST_NS = 50_000
    MOST_NS = 150_000
    STEP_NS = 1_000

    def __init__(self):
        self.ns = self.FIRST_NS

    def learn(self, late_ns):
        """A sleep ended so much after what was asked for."""
        if late_ns > self.ns:
            self.ns = min(self.ns + self.STEP_NS, self.MOST_NS)
        else:
            self.ns = max(self.ns - self.STEP_NS, 0)


def carry(control, client, server, longest_packet_bytes):
    """Carries packets between two devices until the control socket is closed.

    The control socket takes {"set":{"toServer":...,"toClient":...,"keepsConnections":...,"captures":...}},
    {"count":true} and {"write":{"file":...,"first":...}}, one line of JSON each, and answers in kind;
    {"gone": "..."} when one of the devices was deleted.
    """
    # A collection would hold packets up; nothing here makes cycles.
    gc.collect()
    gc.disable()
    control.setblocking(False)
    to_server = direction.Direction("toServer", tun.HEADER_BYTES)
    to_client = direction.Direction("toClient", tun.HEADER_BYTES)
    clients = ports.ClientPorts(tun.HEADER_BYTES)
    captured = capture.Capture(tun.ip_packet_of)
    paths = {
        client: (to_server, server, clients.owns_sent),
        server: (to_client, client, clients.owns_received),
    }
    ways = [(to_server, server), (to_client, client)]
    read_bytes = tun.HEADER_BYTES + longest_packet_bytes
    gone = None
    lead = Lead()
    worked_before_ns = time.process_time_ns()
    requests = b""
    # The control socket comes last: a request is answered after what was there before it.
    files = [client, server, control]
    now_ns = time.monotonic_ns
    while True:
        begin = _send_due(ways, lead.ns, now_ns)
        asked = now_ns()
        wait_s = None if begin is None else max(0, begin - asked) / 1e9
        readable = select.select(files, (), (), wait_s)[0]
        woken = now_ns()
        if not readable and wait_s:
            lead.learn(woken - begin)
        # A packet that had to wake us came about as long ago as waking takes, and not before those that were there.
        slept_ns = woken - asked
        late_ns = min(lead.ns, slept_ns) if slept_ns > _NO_SLEEP_NS else 0
        for file in readable:
            if file is control:
                received = control.recv(65536)
                if not received:
                    return
                *lines, requests = (requests + received).split(b"\n")
                for line in lines:
                    request = json.loads(line)
                    if "set" in request:
                        worked_before_ns = time.process_time_ns()
                        asked_for = request["set"]
                        keeps, captures = asked_for["keepsConnections"], asked_for["captures"]
                        clients.begin_load(keeps)
                        captured.begin(keeps, capture.clock_offset_ns())
                        for way, keep in ((to_server, captured.sent), (to_client, captured.received)):
                            settings = asked_for[way.name]
                            way.set(settings, now_ns(), keeps, keep if captures else None)
                        answer = {"status": 0}
                    elif "count" in request:
                        captured.end(to_server.on_the_way())
                        answer = {
                            "status": 0,
                            "toServer": to_server.counts(),
                            "toClient": to_client.counts(),
                            "processorMs": (time.process_time_ns() - worked_before_ns) / 1e6,
                        }
                    else:
                        answer = captured.answer(**request["write"])
                    if gone:
                        answer = {"gone": gone}
                    control.sendall(json.dumps(answer).encode() + b"\n")
            elif not _take(file, *paths[file], read_bytes, late_ns, now_ns):
                files.remove(file)
                gone = f"the device at the {'client' if file == client else 'server'}'s end was deleted"


def _take(source, way, target, of_load, read_bytes, late_ns, now_ns):
    """Reads what has arrived, at most a batch. False: the device is no more."""
    arrive = way.arrive
    try:
        for _ in range(_BATCH):
            packet = os.read(source, read_bytes)
            if arrive(packet, now_ns() - late_ns, of_load(packet)):
                _send(target, packet)
    except BlockingIOError:
        pass
    except OSError as error:
        if error.errno == errno.EBADFD:
            return False
        # The device is down for now: nothing can be read, and asking at once would only be busy.
        time.sleep(0.001)
    return True


def _send_due(ways, lead_ns, now_ns):
    """Sends what is due in both directions, and returns when to do so again; None: nothing waits."""
    again = None
    for way, target in ways:
        for _ in range(_BATCH):
            due = way.next_due()
            if due is None:
                break
            begin = due - lead_ns
            now = now_ns()
            if begin > now:
                break
            _send(target, way.leave(now))
        # After a whole batch it is the past: the other direction and new packets have their turn.
        if due is not None and (again is None or begin < again):
            again = begin
    return again


def _send(target, packet):
    try:
        os.write(target, packet)
    except OSError:
        # The device is down: a packet sent to it is lost, as on any network.
        pass
