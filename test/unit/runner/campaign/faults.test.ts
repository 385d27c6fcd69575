import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countFaults, FaultsError } from '../../../../runner/campaign/faults.ts';

const OK = { outcome: 'ok', code: null, message: null } as const;
const failed = (code: string) => ({ outcome: 'failed', code, message: `It ${code}.` }) as const;
const INVALID = { outcome: 'invalid', code: 'resumed', message: 'It was.' } as const;

function errorOf(act: () => void): FaultsError {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof FaultsError);
    return error;
  }
  return assert.fail('it went on');
}

test('so many failures of the same kind in a row end the invocation, with the reason and what to do', () => {
  const note = countFaults(3);
  note(failed('timeout'));
  note(failed('timeout'));
  const { message, exitStatus } = errorOf(() => note(failed('timeout')));
  assert.match(message, /^3 loads in a row failed in the same way \(timeout\)/);
  assert.match(message, /It timeout\./);
  assert.match(message, /--resume.*--stop-after/);
  assert.equal(exitStatus, 6);
});

test('a load that is ok, an invalid one, or a failure of another kind begins the count anew', () => {
  for (const between of [OK, INVALID, failed('page-crashed')]) {
    const note = countFaults(2);
    note(failed('timeout'));
    note(between);
    note(failed('timeout'));
    errorOf(() => note(failed('timeout')));
  }
});

test('invalid loads alone end nothing', () => {
  const note = countFaults(1);
  for (let count = 0; count < 10; count++) note(INVALID);
});

test('the exit status tells a server or the path from the rest', () => {
  const statusOf = (code: string) => errorOf(() => countFaults(1)(failed(code))).exitStatus;
  assert.equal(statusOf('server-failed'), 4);
  assert.equal(statusOf('network-failed'), 5);
  assert.equal(statusOf('browser-failed'), 6);
});
