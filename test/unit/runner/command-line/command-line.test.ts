import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMON_OPTIONS } from '../../../../ground/options/common.ts';
import type { RawOptions } from '../../../../ground/options/row.ts';
import { valuesOf, wordsOf } from '../../../../ground/options/values.ts';
import { readCommandLine } from '../../../../runner/command-line/command-line.ts';
import { measuringCommands } from '../../../../runner/command-line/commands.ts';
import { loadTools } from '../../../../tools/index.ts';

const COMMANDS = { ...measuringCommands(), ...(await loadTools()) };

function givenBy(...words: string[]): RawOptions {
  const line = readCommandLine(words, COMMANDS);
  assert.ok(line);
  return line.given;
}

function assertRefused(words: string[], message: RegExp): void {
  assert.throws(
    () => readCommandLine(words, COMMANDS),
    { name: 'UsageError', message },
    words.join(' '),
  );
}

test('splits a command line into command, options and positional words', () => {
  assert.deepEqual(readCommandLine(['merge', 'a', '--out', 'whole', 'b'], COMMANDS), {
    command: 'merge',
    words: ['a', '--out', 'whole', 'b'],
    given: { out: 'whole' },
    operands: ['a', 'b'],
  });
});

test('accepts a value after a blank or an equals sign', () => {
  assert.deepEqual(givenBy('benchmark', '--rtt', '5', '--down=7', '--pin'), {
    rtt: '5',
    down: '7',
    pin: '',
  });
});

test('rejects an option that occurs twice, unless it is a list of lines', () => {
  assertRefused(['benchmark', '--seed', '1', '--seed=2'], /^--seed occurs twice\. Give it once\.$/);
  assertRefused(['benchmark', '--pin', '--pin'], /^--pin occurs twice/);
  assertRefused(['benchmark', '--control', '--control', 'bun-h2'], /^--control occurs twice/);
  assertRefused(
    ['benchmark', '--stacks', 'bun-h2', '--stacks', 'lsquic-h3'],
    /^--stacks occurs twice\. Give it once, with commas between its values\.$/,
  );
  assert.deepEqual(givenBy('benchmark', '--server', 'a=./a', '--server', 'b=./b'), {
    server: 'a=./a\nb=./b',
  });
});

test('accepts repeated headers, in that order', () => {
  assert.deepEqual(givenBy('get', 'a.test', '--header', 'a: b', '--header=c: d'), {
    header: 'a: b\nc: d',
  });
});

test('accepts a value that begins with a hyphen, but not an option in place of a value', () => {
  assert.deepEqual(givenBy('benchmark', '--rtt', '-5'), { rtt: '-5' });
  assertRefused(['benchmark', '--out', '--pin'], /^--out: expected a value, got the option --pin/);
  assertRefused(['benchmark', '--out'], /^--out: expected a value\. See npm run benchmark/);
  assertRefused(['benchmark', '--pin=yes'], /^--pin=yes: --pin takes no value\./);
});

test('accepts --control without a value, in any position', () => {
  assert.deepEqual(givenBy('benchmark', '--control'), { control: '' });
  assert.deepEqual(givenBy('benchmark', '--control', '--pin'), { control: '', pin: '' });
  assert.deepEqual(givenBy('benchmark', '--control', 'bun-h2'), { control: 'bun-h2' });
});

test('suggests the nearest known name for an unknown one', () => {
  assertRefused([], /^A command is missing\. Commands: benchmark, /);
  assertRefused(['benhcmark'], /^Unknown command benhcmark\. Did you mean benchmark\? Commands: /);
  assertRefused(['--sites', 'x'], /^Unknown option --sites\. Commands: benchmark, /);
  assertRefused(
    ['benchmark', '--site=x'],
    /^Unknown option --site\. Did you mean --sites\? Options: --preset, /,
  );
  assertRefused(['report', '--margn', '3'], /Did you mean --margin\? Options: --compare, /);
  assertRefused(['doctor', '--fix'], /^Unknown option --fix\. Options: --resolve, /);
});

test('names missing and superfluous words', () => {
  assertRefused(['record'], /^URL is missing\. See npm run record -- --help\./);
  assertRefused(['record', 'a', 'b', 'c'], /^One URL at a time; there is also b, c\./);
});

test('reads options in words as given', () => {
  const given = { sites: 'a,b', control: '', rtt: '-5', pin: '' };
  assert.deepEqual(givenBy('benchmark', ...wordsOf(given)), given);
});

test('passes on everything after the first word of a command, with or without --', () => {
  const command = ['curl', '--loss', '-v', '--version', '-V', '--', '', '--rtt=9'];
  for (const mark of [['--'], []]) {
    const line = readCommandLine(['network', '--rtt', '30', ...mark, ...command], COMMANDS);
    assert.deepEqual([line?.given, line?.operands], [{ rtt: '30' }, command]);
  }
  assertRefused(
    ['network', '--rtt', '30'],
    /^COMMAND is missing\. See npm run network -- --help\./,
  );
  assertRefused(['network', '--', ''], /^COMMAND is missing\./);
  assertRefused(['network', '--los', '1', 'curl'], /^Unknown option --los\. Did you mean --loss\?/);
});

test('prefers given values to a preset, and a preset to a default', () => {
  const { rtt, order, timeout, seed } = valuesOf(
    COMMON_OPTIONS,
    { rtt: '5' },
    { rtt: '7', order: 'sequential' },
  );
  assert.deepEqual(
    { rtt, order, timeout, seed },
    { rtt: [5], order: 'sequential', timeout: 30, seed: null },
  );
});
