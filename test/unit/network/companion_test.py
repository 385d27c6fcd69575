"""How the agent speaks with processes of its own. Run by link.test.ts."""

import json
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "network" / "agent"))

from companion import Companion, CompanionGone, say, say_refusal  # noqa: E402
from namespaces import NotAllowed  # noqa: E402


def echoing(control):
    for line in control.makefile():
        request = json.loads(line)
        if request == "end":
            return
        say(control, {"gone": "its device was deleted"} if request == "lose" else {"heard": request})


class Speaking(unittest.TestCase):
    def test_each_request_is_answered(self):
        companion = Companion("the echo", echoing)
        self.assertEqual([companion.ask(word)["heard"] for word in ("a", "b")], ["a", "b"])

    def test_one_that_has_ended_is_gone_by_its_name_from_then_on(self):
        companion = Companion("the echo", echoing)
        for request in ("end", "a"):
            with self.assertRaisesRegex(CompanionGone, "the echo has ended"):
                companion.ask(request)

    def test_one_that_lost_what_it_works_with_is_gone_from_then_on(self):
        companion = Companion("the echo", echoing)
        for request in ("lose", "a"):
            with self.assertRaisesRegex(CompanionGone, "its device was deleted"):
                companion.ask(request)

    def test_what_the_machine_does_not_allow_is_told_with_what_to_allow(self):
        companion = Companion("the echo", lambda control: say_refusal(control, NotAllowed("no devices", "load tun")))
        with self.assertRaisesRegex(NotAllowed, "no devices") as refused:
            companion.hear_opened()
        self.assertEqual(refused.exception.remedy, "load tun")


if __name__ == "__main__":
    unittest.main()
