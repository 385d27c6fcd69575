"""The user-space link: carries packets between two TUN devices, each direction as asked."""

import gc
import json
import os
import select
import time

import direction
import tun

# Longer than any packet of an MTU of 1500 with its header.
_READ_BYTES = 2048
# So many packets are read before the clock is looked at again.
_BATCH = 16
# Waking up and handing a packet over takes about so long: a packet is sent so much before it is due.
_LEAD_NS = 40_000


def carry(control, client, server):
    """Carries packets between two devices until the control socket is closed.

    The control socket takes {"set":{"toServer":...,"toClient":...}} and {"count":true}, one line of
    JSON each, and answers in kind.
    """
    # A collection would hold packets up; nothing here makes cycles.
    gc.collect()
    gc.disable()
    control.setblocking(False)
    to_server = direction.Direction("toServer", tun.HEADER_BYTES)
    to_client = direction.Direction("toClient", tun.HEADER_BYTES)
    paths = {client: (to_server, server), server: (to_client, client)}
    requests = b""
    files = [control, client, server]
    now_ns = time.monotonic_ns
    while True:
        wait_s = _send_due(paths.values(), now_ns)
        readable = select.select(files, (), (), wait_s)[0]
        for file in readable:
            if file is control:
                received = control.recv(65536)
                if not received:
                    return
                *lines, requests = (requests + received).split(b"\n")
                for line in lines:
                    answer = _answer(json.loads(line), to_server, to_client, now_ns())
                    control.sendall(json.dumps(answer).encode() + b"\n")
            else:
                _take(file, *paths[file], now_ns)


def _take(source, way, target, now_ns):
    """Reads what has arrived, at most a batch."""
    arrive = way.arrive
    try:
        for _ in range(_BATCH):
            packet = os.read(source, _READ_BYTES)
            if arrive(packet, now_ns()):
                _send(target, packet)
    except BlockingIOError:
        pass
    except OSError:
        # The device is down for now: nothing can be read, and asking at once would only be busy.
        time.sleep(0.001)


def _send_due(ways, now_ns):
    """Sends what is due in both directions, and returns for how long nothing more will be."""
    wait_ns = None
    for way, target in ways:
        sent = 0
        while (due := way.next_due()) is not None:
            now = now_ns()
            if due - now > _LEAD_NS:
                if wait_ns is None or due - now < wait_ns:
                    wait_ns = due - now
                break
            if sent == _BATCH:
                # The other direction and new packets have their turn.
                wait_ns = 0
                break
            _send(target, way.leave(now))
            sent += 1
    if wait_ns is None:
        return None
    return max(0, wait_ns - _LEAD_NS) / 1e9


def _send(target, packet):
    try:
        os.write(target, packet)
    except OSError:
        # The device is down: a packet sent to it is lost, as on any network.
        pass


def _answer(request, to_server, to_client, now):
    if "set" in request:
        to_server.set(request["set"]["toServer"], now)
        to_client.set(request["set"]["toClient"], now)
        return {"status": 0}
    return {"status": 0, "toServer": to_server.counts(), "toClient": to_client.counts()}
