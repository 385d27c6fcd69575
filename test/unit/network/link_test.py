"""What the user-space link does to packets, on a clock of the test's own. Run by link.test.ts."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "network" / "agent"))

from direction import ETHERNET_HEADER_BYTES, Direction  # noqa: E402
from link import Lead  # noqa: E402

MS = 1_000_000
UNLIMITED_BYTES = 64 * 1024 * 1024
# With its Ethernet header 1500 bytes: 1.2 ms at 10 Mbit/s.
PACKET = bytes(1500 - ETHERNET_HEADER_BYTES)


def direction_with(name="toServer", **settings):
    way = Direction(name)
    way.set({"queueBytes": UNLIMITED_BYTES, **settings}, 0)
    return way


def leaving_times(way):
    """When the packets that wait leave, each exactly when it is due, and what they are."""
    left = []
    while (due := way.next_due()) is not None:
        left.append((due, way.leave(due)))
    return left


def losses(way, count):
    """For each of so many packets whether it was lost."""
    lost = []
    for number in range(count):
        before = way.lost
        way.arrive(PACKET, number)
        lost.append(way.lost > before)
    return lost


class Delay(unittest.TestCase):
    def test_without_delay_and_rate_a_packet_leaves_at_once(self):
        way = direction_with()
        self.assertTrue(way.arrive(PACKET, 5))
        self.assertIsNone(way.next_due())
        self.assertEqual(way.counts()["packets"], 1)

    def test_every_packet_leaves_exactly_the_delay_after_it_came(self):
        way = direction_with(delayMs=15)
        for arrived in (0, 3, 10 * MS):
            self.assertFalse(way.arrive(PACKET, arrived))
        due = [due for due, _ in leaving_times(way)]
        self.assertEqual(due, [15 * MS, 15 * MS + 3, 25 * MS])

    def test_packets_of_the_same_moment_stay_in_order(self):
        way = direction_with(delayMs=1)
        for number in range(5):
            way.arrive(bytes([number]), 7)
        self.assertEqual([packet[0] for _, packet in leaving_times(way)], [0, 1, 2, 3, 4])

    def test_packets_on_their_way_keep_their_time_when_the_settings_change(self):
        way = direction_with(delayMs=15)
        way.arrive(b"before", 0)
        way.set({"queueBytes": UNLIMITED_BYTES, "delayMs": 1}, 10)
        way.arrive(b"after", 20)
        self.assertEqual(leaving_times(way), [(1 * MS + 20, b"after"), (15 * MS, b"before")])

    def test_lateness_is_the_latest_packet_s(self):
        way = direction_with(delayMs=1)
        way.arrive(PACKET, 0)
        way.arrive(PACKET, 0)
        way.leave(1 * MS + 250_000)
        way.leave(1 * MS + 100_000)
        self.assertEqual(way.counts()["maxLatenessMs"], 0.25)


class Jitter(unittest.TestCase):
    def test_stays_within_its_bounds_and_fills_them(self):
        way = direction_with(delayMs=20, jitterMs=5, seed=1)
        for _ in range(2000):
            way.arrive(PACKET, 0)
        due_ms = [due / MS for due, _ in leaving_times(way)]
        self.assertGreaterEqual(min(due_ms), 15)
        self.assertLessEqual(max(due_ms), 25)
        self.assertLess(min(due_ms), 15.1)
        self.assertGreater(max(due_ms), 24.9)
        self.assertAlmostEqual(sum(due_ms) / len(due_ms), 20, delta=0.2)

    def test_lets_packets_overtake(self):
        way = direction_with(delayMs=20, jitterMs=5, seed=1)
        for number in range(100):
            way.arrive(bytes([number]), number)
        order = [packet[0] for _, packet in leaving_times(way)]
        self.assertNotEqual(order, sorted(order))

    def test_does_not_change_which_packets_are_lost(self):
        calm = losses(direction_with(delayMs=20, lossPercent=5, seed=3), 1000)
        shaky = losses(direction_with(delayMs=20, jitterMs=5, lossPercent=5, seed=3), 1000)
        self.assertEqual(calm, shaky)


class Rate(unittest.TestCase):
    def test_packets_leave_one_after_the_other_as_fast_as_the_rate_allows(self):
        way = direction_with(rateKbps=10_000)
        for _ in range(3):
            way.arrive(PACKET, 0)
        self.assertEqual([due for due, _ in leaving_times(way)], [1_200_000, 2_400_000, 3_600_000])

    def test_an_idle_link_does_not_save_up(self):
        way = direction_with(rateKbps=10_000)
        way.arrive(PACKET, 0)
        way.arrive(PACKET, 100 * MS)
        self.assertEqual([due for due, _ in leaving_times(way)], [1_200_000, 101_200_000])

    def test_the_delay_comes_after_the_rate(self):
        way = direction_with(rateKbps=10_000, delayMs=15)
        way.arrive(PACKET, 0)
        way.arrive(PACKET, 0)
        self.assertEqual([due for due, _ in leaving_times(way)], [16_200_000, 17_400_000])

    def test_a_rate_that_is_no_whole_number_of_ns_per_byte_does_not_drift(self):
        way = direction_with(rateKbps=7_777)
        for _ in range(10_000):
            way.arrive(PACKET, 0)
        last, _ = leaving_times(way)[-1]
        self.assertAlmostEqual(last, 10_000 * 1500 * 8e6 / 7_777, delta=1)

    def test_what_the_device_adds_to_a_packet_is_not_counted(self):
        way = Direction("toServer", overhead_bytes=10)
        way.set({"queueBytes": UNLIMITED_BYTES, "rateKbps": 10_000}, 0)
        way.arrive(bytes(10) + PACKET, 0)
        self.assertEqual(way.next_due(), 1_200_000)
        way.leave(0)
        self.assertEqual(way.counts()["bytes"], 1500)


class Queue(unittest.TestCase):
    def test_a_packet_that_does_not_fit_is_dropped(self):
        way = direction_with(rateKbps=10_000, queueBytes=4500)
        for _ in range(5):
            way.arrive(PACKET, 0)
        self.assertEqual(way.counts()["queueDrops"], 2)
        self.assertEqual(len(leaving_times(way)), 3)

    def test_there_is_room_again_as_soon_as_packets_were_sent(self):
        way = direction_with(rateKbps=10_000, queueBytes=4500)
        for _ in range(3):
            way.arrive(PACKET, 0)
        way.arrive(PACKET, 1_199_999)
        self.assertEqual(way.counts()["queueDrops"], 1)
        way.arrive(PACKET, 1_200_000)
        self.assertEqual(way.counts()["queueDrops"], 1)

    def test_packets_that_are_only_delayed_take_no_room(self):
        way = direction_with(rateKbps=10_000, delayMs=500, queueBytes=3000)
        for number in range(100):
            way.arrive(PACKET, number * 1_200_000)
        self.assertEqual(way.counts()["queueDrops"], 0)

    def test_without_a_rate_what_is_on_its_way_is_bounded(self):
        way = direction_with(delayMs=15, queueBytes=3000)
        for _ in range(3):
            way.arrive(PACKET, 0)
        self.assertEqual(way.counts()["queueDrops"], 1)

    def test_a_lost_packet_takes_no_room(self):
        way = direction_with(rateKbps=10_000, queueBytes=3000, lossPercent=100)
        for _ in range(5):
            way.arrive(PACKET, 0)
        self.assertEqual((way.lost, way.queue_drops), (5, 0))


class Loss(unittest.TestCase):
    def test_the_share_asked_for_is_lost(self):
        lost = sum(losses(direction_with(lossPercent=1, seed=1), 100_000))
        # Four standard deviations of a binomial.
        self.assertAlmostEqual(lost, 1000, delta=126)

    def test_the_same_seed_loses_the_same_packets(self):
        first = losses(direction_with(lossPercent=2, seed=7), 5000)
        again = losses(direction_with(lossPercent=2, seed=7), 5000)
        self.assertEqual(first, again)

    def test_another_seed_or_direction_loses_others(self):
        one = losses(direction_with(lossPercent=2, seed=7), 5000)
        self.assertNotEqual(one, losses(direction_with(lossPercent=2, seed=8), 5000))
        self.assertNotEqual(one, losses(direction_with("toClient", lossPercent=2, seed=7), 5000))

    def test_setting_it_again_begins_the_series_again(self):
        way = direction_with(lossPercent=2, seed=7)
        first = losses(way, 1000)
        way.set({"lossPercent": 2, "seed": 7}, 0)
        self.assertEqual(way.lost, 0)
        self.assertEqual(losses(way, 1000), first)

    def test_nothing_is_lost_unasked(self):
        self.assertEqual(sum(losses(direction_with(), 10_000)), 0)


class BurstLoss(unittest.TestCase):
    def setUp(self):
        burst = {"enterPercent": 1, "leavePercent": 25}
        self.lost = losses(direction_with(burstLoss=burst, seed=1), 200_000)

    def bursts(self):
        """The lengths of the runs of lost packets."""
        lengths, length = [], 0
        for lost in [*self.lost, False]:
            if lost:
                length += 1
            elif length:
                lengths.append(length)
                length = 0
        return lengths

    def test_bursts_are_on_average_as_long_as_leaving_them_takes(self):
        bursts = self.bursts()
        self.assertAlmostEqual(sum(bursts) / len(bursts), 1 / 0.25, delta=0.25)

    def test_their_lengths_are_geometric(self):
        bursts = self.bursts()
        self.assertAlmostEqual(bursts.count(1) / len(bursts), 0.25, delta=0.03)
        self.assertAlmostEqual(bursts.count(2) / len(bursts), 0.25 * 0.75, delta=0.03)

    def test_the_share_lost_is_that_of_the_time_in_the_bad_state(self):
        share = sum(self.lost) / len(self.lost)
        self.assertAlmostEqual(share, 1 / (1 + 25), delta=0.005)


class Loads(unittest.TestCase):
    def test_packets_of_no_load_are_delayed_but_neither_lost_nor_counted(self):
        way = direction_with(delayMs=20, jitterMs=5, lossPercent=100, seed=1)
        way.arrive(PACKET, 0, of_load=False)
        self.assertEqual([due for due, _ in leaving_times(way)], [20 * MS])
        counts = way.counts()
        self.assertEqual((counts["packets"], counts["bytes"], counts["lost"]), (0, 0, 0))

    def test_packets_of_no_load_that_pass_at_once_are_not_counted(self):
        way = direction_with()
        self.assertTrue(way.arrive(PACKET, 0, of_load=False))
        self.assertEqual(way.counts()["packets"], 0)

    def test_packets_of_no_load_take_the_rate_s_time_and_room(self):
        way = direction_with(rateKbps=10_000, queueBytes=3000)
        for of_load in (False, False, False, True):
            way.arrive(PACKET, 0, of_load)
        self.assertEqual(way.counts()["queueDrops"], 1)
        self.assertEqual([due for due, _ in leaving_times(way)], [1_200_000, 2_400_000])

    def test_they_use_up_nothing_of_the_series(self):
        settings = {"delayMs": 20, "jitterMs": 5, "lossPercent": 5, "seed": 3}
        alone, among = direction_with(**settings), direction_with(**settings)
        for number in range(500):
            alone.arrive(PACKET, number)
            among.arrive(PACKET, number)
            among.arrive(b"of no load", number, of_load=False)
        left = [(due, packet) for due, packet in leaving_times(among) if packet is PACKET]
        self.assertEqual(left, leaving_times(alone))
        self.assertEqual(among.lost, alone.lost)

    def test_packets_on_their_way_are_counted_in_the_load_in_which_they_came(self):
        for keeps, packets in ((False, 0), (True, 1)):
            way = direction_with(delayMs=15)
            way.arrive(PACKET, 0)
            way.set({"delayMs": 15}, 10, keeps)
            way.leave(20 * MS)
            self.assertEqual(way.counts()["packets"], packets)


class LeadOfSleeps(unittest.TestCase):
    def test_follows_the_median_of_how_late_sleeps_end(self):
        lead = Lead()
        for number in range(3000):
            # One in ten is far out, as on a busy machine.
            lead.learn(5 * MS if number % 10 == 0 else 70_000 + number % 3 * 10_000)
        self.assertAlmostEqual(lead.ns, 80_000, delta=5_000)

    def test_has_bounds(self):
        lead = Lead()
        for _ in range(1000):
            lead.learn(9 * MS)
        self.assertEqual(lead.ns, Lead.MOST_NS)
        for _ in range(1000):
            lead.learn(-1)
        self.assertEqual(lead.ns, 0)


if __name__ == "__main__":
    unittest.main()
