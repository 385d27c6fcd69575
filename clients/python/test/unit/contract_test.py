"""How a line of stdin is answered. Run by python.test.ts."""

import io
import json
import pathlib
import sys
import unittest
from contextlib import redirect_stdout
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))

import contract  # noqa: E402

REQUEST = {"transport": "quic", "host": "a.test", "address": "127.0.0.1:443", "trust": None}


def fail(error):
    def connect(_):
        raise error

    return connect


class Answers(unittest.TestCase):
    def test_answers_each_line_with_one_line(self):
        lines = [json.dumps(REQUEST), "no JSON", json.dumps(REQUEST)]
        said = io.StringIO()
        with mock.patch.object(sys, "stdin", lines), redirect_stdout(said):
            contract.serve(lambda request: contract.made(maySendMs=1.5))
        answers = [json.loads(line) for line in said.getvalue().splitlines()]
        self.assertEqual([each["maySendMs"] for each in answers], [1.5, None, 1.5])
        self.assertEqual(answers[1]["error"]["code"], "failed")
        self.assertEqual(answers[0].keys(), answers[1].keys())
        self.assertEqual(answers[0]["facts"], contract.NO_FACTS)

    def test_reports_failures_and_bugs(self):
        line = json.dumps(REQUEST)
        self.assertEqual(contract.answer(fail(contract.no_ticket("a.test")), line)["error"]["code"], "no-ticket")
        self.assertEqual(contract.answer(fail(contract.unsupported("It cannot.")), line)["error"]["reason"], "It cannot.")
        failed = contract.answer(fail(ValueError("odd")), line)["error"]
        self.assertEqual((failed["layer"], failed["code"]), ("client", "failed"))
        self.assertIn("ValueError: odd", failed["reason"])

    def test_authorities_have_to_be_there(self):
        request = {**REQUEST, "trust": "/nowhere/ca.pem"}
        error = contract.answer(fail(AssertionError("connected all the same")), json.dumps(request))["error"]
        self.assertEqual((error["layer"], error["code"]), ("client", "no-authorities"))

    def test_addresses_of_both_families_are_read(self):
        self.assertEqual(contract.address_of({"address": "10.0.0.1:443"}), ("10.0.0.1", 443))
        self.assertEqual(contract.address_of({"address": "[2001:db8::1]:8443"}), ("2001:db8::1", 8443))


if __name__ == "__main__":
    unittest.main()
