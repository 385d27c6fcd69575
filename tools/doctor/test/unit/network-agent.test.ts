import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusalOf } from '../../network-agent.ts';

test('splits an error of the path agent into reason and remedy', () => {
  const message =
    'The path between browser and servers cannot be made on this machine: no rights.\nWhat to do: run as root.';
  assert.deepEqual(refusalOf(message), { found: 'no rights', remedy: 'Run as root' });
});

test('reports a Python that does not start in one line', () => {
  const message = 'Python cannot be started:\n  spawn python3 ENOENT\nWhat to do: npm run setup.';
  assert.deepEqual(refusalOf(message), {
    found: 'Python cannot be started: spawn python3 ENOENT',
    remedy: 'Run: npm run setup',
  });
});

test('adds a remedy to a message without one', () => {
  const { found, remedy } = refusalOf('The path agent ended (1) before it was told to.');
  assert.equal(found, 'The path agent ended (1) before it was told to');
  assert.match(remedy, /root/);
});
