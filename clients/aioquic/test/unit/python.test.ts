import { test } from 'node:test';
import { assertPythonTestsPass } from '../../../../test/unit/python-tests.ts';

test("maps aioquic's reports of connections to record values, by tests in Python", () =>
  assertPythonTestsPass(import.meta.dirname));
