import { test } from 'node:test';
import { assertPythonTestsPass } from '../../../../test/unit/python-tests.ts';

test('clients in Python answer every line that they read, by tests in Python', () =>
  assertPythonTestsPass(import.meta.dirname));
