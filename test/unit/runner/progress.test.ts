import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Observation } from '../../../ground/records/observation.ts';
import type { Trial } from '../../../ground/records/run.ts';
import { makeProgress } from '../../../runner/progress.ts';

const LOADS = { nouns: ['load', 'loads'], metric: { name: 'pageLoadMs', unit: 'ms' } } as const;
const TRIAL = { subject: 'a.test', arm: 'bun-h2', repetition: 2, warmup: false } as Trial;
const OK = {
  subject: 'a.test',
  arm: 'bun-h2',
  warmup: false,
  outcome: 'ok',
  metrics: { pageLoadMs: 123.456 },
} as Partial<Observation> as Observation;
const FAILED = {
  ...OK,
  outcome: 'failed',
  code: 'timeout',
  message: 'No load event.',
} as Observation;

function shown(isTTY: boolean, loads: Observation[]): string {
  let text = '';
  let nowMs = 0;
  const stream = {
    isTTY,
    write: (part: string) => (text += part),
  } as unknown as NodeJS.WriteStream;
  const progress = makeProgress(
    { ...LOADS, loads: 4, done: 0, format: 'text' },
    stream,
    () => nowMs,
  );
  for (const load of loads) {
    progress.started(TRIAL);
    nowMs += 2000;
    progress.ended(load);
  }
  progress.started(TRIAL);
  progress.close();
  return text;
}

test('prints every load as a plain line with the time left without a terminal', () => {
  assert.equal(
    shown(false, [OK, OK]),
    '1 of 4 loads done, 6 s left: a.test by bun-h2 ok, 123.5 ms\n' +
      '2 of 4 loads done, 4 s left: a.test by bun-h2 ok, 123.5 ms\n',
  );
});

test('renews one line on a terminal and removes it at the end', () => {
  const text = shown(true, [OK]);
  assert.match(text, /1 of 4 loads done, 6 s left: a\.test by bun-h2, repetition 2/);
  assert.ok(text.endsWith('\r\u001B[K'));
  assert.ok(!text.includes('\n'));
});

test('prints a path that is measured again for lateness as one line that stays', () => {
  const written: string[] = [];
  for (const isTTY of [true, false]) {
    const stream = { isTTY, write: (part: string) => written.push(part) };
    makeProgress(
      { ...LOADS, loads: 4, done: 0, format: 'text' },
      stream as unknown as NodeJS.WriteStream,
    ).pathLate('The path was late.');
  }
  const line =
    'The path was late. It is measured again until the machine is quiet, for about 20 s at most.\n';
  assert.deepEqual(written, [`\r\u001B[K${line}`, line]);
});

test('prints a warning as a line that stays, or as an event', () => {
  const written: string[] = [];
  for (const format of ['text', 'jsonl'] as const) {
    const stream = { isTTY: false, write: (part: string) => written.push(part) };
    makeProgress(
      { ...LOADS, loads: 4, done: 0, format },
      stream as unknown as NodeJS.WriteStream,
    ).warn('There was no room.');
  }
  assert.equal(written[0], 'There was no room.\n');
  const { event, message } = JSON.parse(written[1] ?? '');
  assert.deepEqual([event, message], ['warning', 'There was no room.']);
});

test('keeps a failed load on the screen with its reason', () => {
  assert.match(shown(true, [FAILED]), /failed \(timeout\): No load event\.\n/);
});

test('states the maximum duration of a run that a rule ends', () => {
  let text = '';
  let nowMs = 0;
  const stream = { isTTY: false, write: (part: string) => (text += part) };
  const progress = makeProgress(
    { ...LOADS, loads: null, leftMs: 60_000, done: 3, format: 'text' },
    stream as unknown as NodeJS.WriteStream,
    () => nowMs,
  );
  for (const at of [15_000, 90_000]) {
    progress.started(TRIAL);
    nowMs = at;
    progress.ended(OK);
  }
  assert.match(text, /^4 loads done, at most 45 s left: a\.test/);
  assert.match(text, /\n5 loads done, at most 1 s left: a\.test/);
});

test('prints one line for any number of skipped loads, and counts each of them', () => {
  const givenUp = { ...FAILED, code: 'given-up', message: 'Not made.' };
  assert.equal(
    shown(false, [givenUp, givenUp, { ...givenUp, message: 'Not made either.' }, OK]),
    '1 of 4 loads done, 6 s left: a.test by bun-h2 failed (given-up): Not made.\n' +
      '3 of 4 loads done, 2 s left: a.test by bun-h2 failed (given-up): Not made either.\n' +
      '4 of 4 loads done, 1 s left: a.test by bun-h2 ok, 123.5 ms\n',
  );
});

test('lets no name or message of a load steer the terminal, or begin a line', () => {
  const foreign = 'x\n\u001b[2J\u009b\r\u202e';
  const load = { ...FAILED, subject: foreign, arm: foreign, message: foreign };
  for (const isTTY of [true, false]) {
    const lines = shown(isTTY, [load]).replaceAll('\r\u001B[K', '').trimEnd().split('\n');
    assert.equal(lines.length, isTTY ? 2 : 1);
    for (const line of lines) assert.doesNotMatch(line, /[\p{Cc}\p{Cf}]/u);
  }
});
