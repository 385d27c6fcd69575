import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  parseAvailableMb,
  parseCoreTimes,
  parseCpuWaitUs,
} from '../../../../ground/host/machine-watch.ts';

test('reads the line of all cores in ms, and does not count guests twice', () => {
  const text = 'cpu  10 1 20 400 5 2 3 7 6 0\ncpu0 9 9 9 9 9 9 9 9 9 9\nctxt 1\n';
  assert.deepEqual(parseCoreTimes(text), { programsMs: 310, stealMs: 70, totalMs: 4480 });
});

test('accepts a kernel that reports no steal', () => {
  assert.equal(parseCoreTimes('cpu  10 1 20 400 5 2 3\n').stealMs, null);
});

test('rejects what is not /proc/stat', () => {
  assert.throws(() => parseCoreTimes('cpu0 1 2 3\n'), /no line of all cores/);
});

test('reads waiting as the time of any waiting process, in microseconds since the start', () => {
  const text =
    'some avg10=0.93 avg60=2.66 avg300=1.29 total=10643450\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n';
  assert.equal(parseCpuWaitUs(text), 10_643_450);
  assert.equal(parseCpuWaitUs(null), null);
});

test('reads memory as available, not free', () => {
  assert.equal(
    parseAvailableMb('MemTotal: 9 kB\nMemFree:  1024 kB\nMemAvailable:   2560 kB\n'),
    2.5,
  );
  assert.throws(() => parseAvailableMb(''), /no MemAvailable/);
});
