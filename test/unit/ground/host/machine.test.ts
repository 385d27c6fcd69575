import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  parseAvailableMb,
  parseCoreTimes,
  parseCpuWaitUs,
} from '../../../../ground/host/machine-watch.ts';

test('the line of all cores is read in ms, and guests are not counted twice', () => {
  const text = 'cpu  10 1 20 400 5 2 3 7 6 0\ncpu0 9 9 9 9 9 9 9 9 9 9\nctxt 1\n';
  assert.deepEqual(parseCoreTimes(text), { programsMs: 310, stealMs: 70, totalMs: 4480 });
});

test('a kernel that tells no steal is no error', () => {
  assert.equal(parseCoreTimes('cpu  10 1 20 400 5 2 3\n').stealMs, null);
});

test('what is not /proc/stat is an error', () => {
  assert.throws(() => parseCoreTimes('cpu0 1 2 3\n'), /no line of all cores/);
});

test('waiting is what some process waited, in microseconds since the start', () => {
  const text =
    'some avg10=0.93 avg60=2.66 avg300=1.29 total=10643450\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n';
  assert.equal(parseCpuWaitUs(text), 10_643_450);
  assert.equal(parseCpuWaitUs(null), null);
});

test('memory is what is available, not what is free', () => {
  assert.equal(
    parseAvailableMb('MemTotal: 9 kB\nMemFree:  1024 kB\nMemAvailable:   2560 kB\n'),
    2.5,
  );
  assert.throws(() => parseAvailableMb(''), /no MemAvailable/);
});
