"""How the agent speaks with processes of its own. Run by link.test.ts."""

import json
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "network" / "agent"))

from helper_process import HelperProcess, HelperExited, send, send_refusal  # noqa: E402
from namespaces import NotAllowed  # noqa: E402


def echoing(control):
    for line in control.makefile():
        request = json.loads(line)
        if request == "end":
            return
        send(control, {"gone": "its device was deleted"} if request == "lose" else {"heard": request})


class Speaking(unittest.TestCase):
    def test_each_request_is_answered(self):
        helper_process = HelperProcess("the echo", echoing)
        self.assertEqual([helper_process.request(word)["heard"] for word in ("a", "b")], ["a", "b"])

    def test_one_that_has_ended_is_gone_by_its_name_from_then_on(self):
        helper_process = HelperProcess("the echo", echoing)
        for request in ("end", "a"):
            with self.assertRaisesRegex(HelperExited, "the echo has ended"):
                helper_process.request(request)

    def test_one_that_lost_what_it_works_with_is_gone_from_then_on(self):
        helper_process = HelperProcess("the echo", echoing)
        for request in ("lose", "a"):
            with self.assertRaisesRegex(HelperExited, "its device was deleted"):
                helper_process.request(request)

    def test_what_the_machine_does_not_allow_is_told_with_what_to_allow(self):
        helper_process = HelperProcess("the echo", lambda control: send_refusal(control, NotAllowed("no devices", "load tun")))
        with self.assertRaisesRegex(NotAllowed, "no devices") as refused:
            helper_process.receive_started()
        self.assertEqual(refused.exception.remedy, "load tun")


if __name__ == "__main__":
    unittest.main()
