import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../../../runner/errors.ts';
import { HELP, readOptions } from '../../../runner/options.ts';

function assertRefused(args: string[], ...parts: RegExp[]): void {
  assert.throws(
    () => readOptions(args),
    (error) => {
      assert.ok(error instanceof UsageError);
      for (const part of parts) assert.match(error.message, part);
      return true;
    },
  );
}

test('without options it is the quick set, all stacks and the defaults of the help text', () => {
  const options = readOptions([]);
  assert.ok(options);
  assert.ok(options.sites.length >= 4 && options.sites.length <= 8);
  assert.deepEqual(
    options.stacks.map(({ stack }) => stack),
    ['lsquic-h3', 'bun-h2', 'flask-h1'],
  );
  const { repetitions, seed, timeoutS, out } = options;
  assert.deepEqual(
    { repetitions, seed, timeoutS, out },
    { repetitions: 5, seed: 1, timeoutS: 30, out: null },
  );
  assert.match(HELP, /default 5/);
});

test('published is the 30 sites of the published results', () => {
  assert.equal(readOptions(['--sites', 'published'])?.sites.length, 30);
});

test('sites named twice, by a set and by name, are loaded once', () => {
  const sites = readOptions(['--sites', 'www.iana.org,quick,www.iana.org'])?.sites ?? [];
  assert.equal(sites[0], 'www.iana.org');
  assert.equal(new Set(sites).size, sites.length);
});

test('an unknown stack is refused with the valid ones', () => {
  assertRefused(['--stacks', 'lsquic-h3,nginx'], /nginx/, /lsquic-h3, bun-h2, flask-h1/);
});

test('an unknown option is refused with the valid ones', () => {
  assertRefused(['--rept', '3'], /--rept/, /--repetitions/);
});

test('a stray argument is refused', () => {
  assertRefused(['www.iana.org'], /www\.iana\.org/, /--sites/);
});

test('numbers that are none, or out of range, are refused with the range', () => {
  for (const text of ['0', '1001', '-3', '2.5', 'many', '']) {
    assertRefused([`--repetitions=${text}`], /--repetitions/, /1 to 1000/);
  }
  assertRefused(['--timeout=0'], /--timeout 0/, /1 to 3600/);
  assertRefused(['--seed=x'], /--seed x/);
});

test('an empty name in a list is refused', () => {
  assertRefused(['--sites', 'www.iana.org,'], /--sites/);
  assertRefused(['--stacks', ''], /--stacks/);
});

test('help asks for nothing else', () => {
  assert.equal(readOptions(['--help']), null);
});
