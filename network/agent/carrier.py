"""Starts the user-space link, sends it requests, and reads its results from shared memory."""

import json
import math
import mmap
import os
import struct

import capture
import helper_process
import namespaces
import priority
import tun

# Per direction 60,000 steps of 10 ms: packets, bytes, lost, dropped, ns busy, most bytes queued, most ns waited, bytes of capacity.
_SAMPLE = struct.Struct("=4q4d")
_STEPS = 60_000
_STEP_MS = 10
# Limits the time of one answer, because other requests wait meanwhile.
_MOST_SAMPLES = 6000
# Arrival, departure, twice the number, length, direction, fate; the client's port and address as servers see them.
_KEPT = struct.Struct("=3qiBBH4s4x")
_FATES = (
    None,
    capture.LOST,
    capture.DROPPED,
    capture.ON_ITS_WAY,
    capture.UDP_DROPPED,
    capture.FORGOTTEN,
    capture.CUT,
)
_ON_ITS_WAY = 3


class Carrier(helper_process.HelperProcess):
    """A process that holds a device in each of two namespaces and carries packets between them.

    Each end is an open /proc/PID/ns/net and the name of its device; `program` is the link's command.
    """

    def __init__(self, client, server, program, longest_packet_bytes, segmentation, may_lock_memory):
        samples = _SharedMemory("samples", 2 * _STEPS * _SAMPLE.size)
        kept = _SharedMemory("capture", capture.MOST_BYTES)

        def work(control):
            devices = _open_devices(control, (client, server), segmentation)
            if not devices:
                return
            opened = {
                **dict(zip(("client", "server"), devices)),
                "control": control.fileno(),
                "samples": samples.file,
                "samplesBytes": samples.bytes,
                "capture": kept.file,
                "captureBytes": kept.bytes,
                "longestPacketBytes": longest_packet_bytes,
                "mayLockMemory": may_lock_memory,
            }
            priority.wake_on_time()
            for file in (*devices, control.fileno(), samples.file, kept.file):
                os.set_inheritable(file, True)
            # Bun would read settings from the working folder.
            os.chdir("/")
            try:
                os.execv(program[0], [*program, json.dumps(opened)])
            except OSError as error:
                refused = namespaces.NotAllowed(f"{program[0]} cannot be started: {error.strerror}", "npm run setup")
                helper_process.send_refusal(control, refused)

        super().__init__("the link's program", work)
        self._samples = samples.map()
        self._kept = kept.map()
        self._capture = None
        self._clock_offset_ns = 0
        self.receive_started()
        # The first thread carries the packets. It gets its priority after the start, in which threads wait for each other:
        # it would keep the processor from the thread that it waits for.
        self.realtime = priority.take_priority(self.pid)

    def set(self, load):
        self._capture = None
        self._clock_offset_ns = capture.clock_offset_ns()
        return self.request({"set": load})

    def count(self):
        return self.request({"count": True})

    def samples(self, first):
        """The samples of each step from `first` on, to the servers and to the client; `next`: the next step (None: end)."""
        sampled = self.request({"sampled": True})
        end = min(sampled["steps"], first + _MOST_SAMPLES)
        return {
            "status": 0,
            "beganMs": sampled["beganMs"],
            "stepMs": _STEP_MS,
            "steps": [
                [_SAMPLE.unpack_from(self._samples, (way * _STEPS + step) * _SAMPLE.size) for way in (0, 1)]
                for step in range(first, end)
            ],
            "next": end if end < sampled["steps"] else None,
        }

    def write_capture(self, file, first):
        """Appends the load's packets to a file, as a Capture does."""
        if first == 0:
            self._capture = self._read_capture(**self.request({"captured": True}))
        return self._capture.answer(file, first)

    def _read_capture(self, earlier, counted, end, missed, status):
        captured = capture.Capture(tun.ip_packet_of, most_bytes=math.inf)
        captured.begin(False, self._clock_offset_ns)
        _keep_all(captured, self._kept, 0, earlier, counted)
        captured.begin(True, self._clock_offset_ns)
        _keep_all(captured, self._kept, earlier, end, counted)
        captured.missed = missed
        return captured


class _SharedMemory:
    """Anonymous memory, inherited as a file; unused parts take no memory of the machine."""

    def __init__(self, name, size_bytes):
        self.bytes = size_bytes
        self.file = os.memfd_create(name)
        os.ftruncate(self.file, size_bytes)

    def map(self):
        """Maps the memory, and closes the file, which is no longer needed here."""
        mapped = mmap.mmap(self.file, self.bytes, prot=mmap.PROT_READ)
        os.close(self.file)
        return mapped


def _keep_all(captured, memory, at, end, counted):
    """Passes the packets between two offsets to a capture; those before `counted` only if they are no longer in flight."""
    kept = memoryview(memory)
    while at < end:
        arrived, left, place, length, way, fate, port, address = _KEPT.unpack_from(kept, at)
        if (fate == _ON_ITS_WAY) == (at >= counted):
            keep = captured.received if way else captured.sent
            packet = at + _KEPT.size
            seen = capture.seen_by_servers(address, port) if port else None
            keep(arrived, left, place / 2, kept[packet : packet + length], _FATES[fate], seen)
        at += _KEPT.size + length + -length % 8


def _open_devices(control, ends, segmentation):
    """The open devices; None if this machine does not allow them, after sending the refusal."""
    devices = []
    try:
        for namespace, name in ends:
            # A device belongs to the namespace in which it was opened; the open file works in any.
            namespaces.enter_network_namespace(namespace)
            devices.append(tun.open_device(name, segmentation))
    except namespaces.NotAllowed as error:
        helper_process.send_refusal(control, error)
        return None
    return devices
