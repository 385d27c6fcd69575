import { test } from 'node:test';
import { assertPythonTestsPass } from '../../../../test/unit/python-tests.ts';

test('what aioquic reports of connections becomes the words of records, by tests in Python', () =>
  assertPythonTestsPass(import.meta.dirname));
