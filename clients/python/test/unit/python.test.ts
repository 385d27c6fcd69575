import { test } from 'node:test';
import { assertPythonTestsPass } from '../../../../test/unit/python-tests.ts';

test('answers every line with clients in Python, by tests in Python', () =>
  assertPythonTestsPass(import.meta.dirname));
