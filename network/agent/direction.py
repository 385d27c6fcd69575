"""What one direction of the link does to packets: loses, queues and delays them. Knows no device."""

import heapq
import random

import capture
import ports

# Packets are counted as a qdisc counts them, with the Ethernet header that a real path would add.
ETHERNET_HEADER_BYTES = 14


class Direction:
    """Packets of one direction on their way. Times are in ns of any clock that never goes back.

    A packet that arrives is lost by chance, or dropped because the queue is full, or sent with the
    rate asked for and then delayed. `overhead_bytes` of every packet belong to the device.
    """

    def __init__(self, name, overhead_bytes=0):
        self.name = name
        self._overhead_bytes = overhead_bytes
        # Added to the length of what was read, so that it becomes what a qdisc would count.
        self._length_correction = ETHERNET_HEADER_BYTES - overhead_bytes
        # (due, number, packet, load, arrived): in the order of leaving, and of arriving among equals.
        self._waiting = []
        self._waiting_bytes = 0
        self._number = 0
        self._load = 0
        self.set({}, 0)

    def set(self, settings, now, keeps_connections=False, keep=None):
        """Behaves as asked from now on, and counts from zero.

        Packets on their way stay on it, and are counted when they leave if their connections are kept. `keep`
        is given every packet of the load: when it arrived and left, its number in the order of arriving,
        itself, and what became of it unless it was counted; it would then have left at the time given.
        """
        if not keeps_connections:
            self._load += 1
        seed = settings.get("seed", 0)
        rate_kbps = settings.get("rateKbps")
        self._delay_ns = round(settings.get("delayMs", 0) * 1e6)
        self._jitter_ns = round(settings.get("jitterMs", 0) * 1e6)
        self._ns_per_byte = None if rate_kbps is None else 8e6 / rate_kbps
        self._queue_bytes = settings.get("queueBytes", 64 * 1024 * 1024)
        self._loss = settings.get("lossPercent", 0) / 100
        burst = settings.get("burstLoss")
        self._enter_burst = 0 if burst is None else burst["enterPercent"] / 100
        self._leave_burst = 1 if burst is None else burst["leavePercent"] / 100
        self._in_burst = False
        # One series for each chance: which packets are lost does not depend on the jitter.
        self._loss_chance = random.Random(f"{self.name} loss {seed}").random
        self._burst_chance = random.Random(f"{self.name} burst {seed}").random
        self._jitter_chance = random.Random(f"{self.name} jitter {seed}").random
        # Numbers, from 1, of packets of the load with data: these are lost whatever the chance.
        self._loses_data = frozenset(settings.get("losesDataPackets", ()))
        self._data_packets = 0
        self._loses = self._loss > 0 or self._enter_burst > 0 or bool(self._loses_data)
        self._passes_at_once = (
            self._delay_ns == 0 and self._jitter_ns == 0 and self._ns_per_byte is None
        )
        self._free_at = now
        self._keep = keep
        self.packets = 0
        self.bytes = 0
        self.lost = 0
        self.queue_drops = 0
        self.max_lateness_ns = 0

    def counts(self):
        return {
            "packets": self.packets,
            "bytes": self.bytes,
            "lost": self.lost,
            "queueDrops": self.queue_drops,
            "maxLatenessMs": self.max_lateness_ns / 1e6,
        }

    def arrive(self, packet, now, of_load=True):
        """Takes a packet. True: it leaves at once, and whoever called sends it.

        One that is not of the load is queued and delayed as all are, but never lost by chance, nor counted.
        """
        if self._loses and of_load and self._is_lost(packet):
            self.lost += 1
            self._keep_gone(now, packet, capture.LOST)
            return False
        length = len(packet) + self._length_correction
        if self._passes_at_once and not self._waiting:
            if of_load:
                self.packets += 1
                self.bytes += length
                if self._keep:
                    self._number += 1
                    self._keep(now, now, self._number, packet)
            return True
        if self._ns_per_byte is None:
            if self._waiting_bytes + length > self._queue_bytes:
                return self._drop(packet, now, of_load)
            due = now + self._delay_ns
        else:
            start = self._free_at
            if start <= now:
                start = now
            elif (start - now) / self._ns_per_byte + length > self._queue_bytes:
                return self._drop(packet, now, of_load)
            self._free_at = start + length * self._ns_per_byte
            due = round(self._free_at) + self._delay_ns
        if self._jitter_ns and of_load:
            due += round((2 * self._jitter_chance() - 1) * self._jitter_ns)
        self._number += 1
        self._waiting_bytes += length
        load = self._load if of_load else None
        heapq.heappush(self._waiting, (due, self._number, packet, load, now))
        return False

    def next_due(self):
        """When the next packet has to leave; None: nothing waits."""
        return self._waiting[0][0] if self._waiting else None

    def leave(self, now):
        """The packet that has to leave next."""
        due, number, packet, load, arrived = heapq.heappop(self._waiting)
        length = len(packet) + self._length_correction
        self._waiting_bytes -= length
        if load == self._load:
            self.packets += 1
            self.bytes += length
            if now - due > self.max_lateness_ns:
                self.max_lateness_ns = now - due
            if self._keep:
                self._keep(arrived, now, number, packet)
        return packet

    def on_the_way(self):
        """Of each packet of the load that has not left, when it arrived, its number, and itself."""
        return [
            (arrived, number, packet)
            for _, number, packet, load, arrived in self._waiting
            if load == self._load
        ]

    def _drop(self, packet, now, of_load):
        if of_load:
            self.queue_drops += 1
            self._keep_gone(now, packet, capture.DROPPED)
        return False

    def _keep_gone(self, now, packet, fate):
        if self._keep:
            # Behind the last one, without taking its place.
            left = max(now, round(self._free_at)) + self._delay_ns
            self._keep(now, left, self._number + 0.5, packet, fate)

    def _is_lost(self, packet):
        lost = self._loss > 0 and self._loss_chance() < self._loss
        if self._enter_burst > 0:
            # As netem does it: first the packet is judged by the state, then the state changes.
            if self._in_burst:
                lost = True
                self._in_burst = self._burst_chance() >= self._leave_burst
            else:
                self._in_burst = self._burst_chance() < self._enter_burst
        if self._loses_data and ports.carries_data(packet, self._overhead_bytes):
            self._data_packets += 1
            lost = lost or self._data_packets in self._loses_data
        return lost
