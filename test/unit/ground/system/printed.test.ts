import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  indented,
  jsonLine,
  printable,
  printableLines,
} from '../../../../ground/system/printed.mjs';

/**
 * Characters that no terminal may receive from outside: all control characters, C1 among them, and
 * those that reorder or hide text.
 */
const STEERING = [
  ...Array.from({ length: 0x20 }, (_, code) => code),
  ...Array.from({ length: 0x21 }, (_, code) => 0x7f + code),
  ...[0xad, 0x61c, 0x180e, 0x200b, 0x200e, 0x200f, 0x2028, 0x2029],
  ...[0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2060, 0x2066, 0x2067, 0x2068, 0x2069],
  ...[0xfeff, 0xfff9, 0xd800, 0xdfff, 0xe0001, 0xe0041],
].map((code) => String.fromCodePoint(code));

test('neutralizes terminal control in text from outside, and keeps ordinary text', () => {
  for (const character of STEERING) {
    assert.equal(printable(`a${character}b`), 'a?b', JSON.stringify(character));
  }
  assert.equal(printable('naïve 測試 👍 – “a” ::1'), 'naïve 測試 👍 – “a” ::1');
});

test('keeps our own line feeds, and lets those of a quoted message begin no message', () => {
  assert.equal(printableLines('a\u001b[2J\n  b\r\n'), 'a?[2J\n  b?\n');
  assert.equal(indented('No such site: x\nAll is well.\n'), 'No such site: x\n  All is well.');
});

test('prints no line as a command to a workflow service', () => {
  const commands = [
    '::error::x',
    '  ::set-output name=a::b',
    '\u3000::add-mask::a',
    '::stop-commands::x',
    '##[add-mask]a',
    'text ##[error]a',
    'a ##vso[task.setvariable variable=a]b',
    '###[group]a',
  ];
  for (const command of commands) {
    assert.doesNotMatch(printableLines(`a\n${command}`), /^\s*::\S+.*::|##\w*\[/m, command);
  }
  for (const text of ['::1', 'fe80::1', '::ffff:10.0.0.1', '## a', 'a::b::c']) {
    assert.equal(printable(text), text);
  }
});

test('escapes ASCII’s control characters in a line of JSON, with the same meaning', () => {
  const value = { message: `${STEERING.join('a')} ##[error]x é 測`, n: 1 };
  const line = jsonLine(value);
  assert.doesNotMatch(line, /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|##\w*\[/u);
  assert.deepEqual(JSON.parse(line), value);
});
