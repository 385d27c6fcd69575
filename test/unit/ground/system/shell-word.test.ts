// biome-ignore-all lint/suspicious/noTemplateCurlyInString: sources and words that have them are what this is about.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { shellLine, shellWord } from '../../../../ground/system/shell-word.ts';

const WORDS = [
  ...[
    '',
    ' ',
    '~',
    '~root',
    '-',
    '-rf',
    '--',
    '=',
    '=ls',
    'a=b',
    '!',
    '!!',
    'a!b',
    "it's!",
    '\\',
    "'",
    "''",
    '"',
    '#',
    '#a',
  ],
  ...[
    '*',
    '?',
    '[a]',
    '{a,b}',
    '$HOME',
    '$(id)',
    '`id`',
    '${IFS}',
    'a;b',
    'a&b',
    'a|b',
    '>x',
    '<x',
    '(x)',
    '^a^b',
    'a b',
  ],
  ...[
    '\n',
    'a\nb',
    '\r',
    '\t',
    '\u001b[201~\nid\n',
    '\u0003',
    '\u007f',
    '\u009b2J',
    '\u202ea',
    '\u2028',
    '\u200b',
    "\n'\\!",
  ],
  ...['é', '測試', '👍🏽', 'https://a.test/?a=1;touch${IFS}b;&c', 'results/2026-01-01', '/a/b c/d'],
];

/**
 * Words of all that ASCII has, and of more, by a seeded generator so that each run has the same
 * ones.
 */
function* madeWords(): Generator<string> {
  const characters = [
    ...Array.from({ length: 127 }, (_, code) => String.fromCodePoint(code + 1)),
    ...['\u0080', '\u009f', 'ß', '\u2066', '\u2029', '\ufeff', '測', '\u{1f600}'],
  ];
  let state = 1;
  const next = (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  for (let made = 0; made < 500; made++) {
    yield Array.from({ length: next(12) }, () => characters[next(characters.length)]).join('');
  }
}

/** Bash's reading of the words of a line, from any source. */
function wordsIn(output: Buffer): string[] {
  return output.toString().split('\0').slice(0, -1);
}

test('bash reads each word unchanged', () => {
  const words = [...WORDS, ...madeWords()];
  const line = `printf '%s\\0' ${shellLine(words)}`;
  assert.deepEqual(wordsIn(execFileSync('bash', ['-c', line])), words);
  assert.deepEqual(
    wordsIn(execFileSync('bash', ['--norc', '-c', line], { env: { LC_ALL: 'C' } })),
    words,
  );
});

test('a pasted word has no effect on bash: neither as a key nor as its history', () => {
  const words = [...WORDS, ...madeWords()];
  for (const word of words) {
    assert.doesNotMatch(shellWord(word), /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  }
  const output = execFileSync('bash', ['--norc', '--noprofile', '-i'], {
    input: `printf '%s\\0' ${shellLine(words)}\nexit\n`,
    env: { HISTFILE: '/dev/null', PATH: process.env.PATH },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  assert.deepEqual(wordsIn(output), words);
});

test('characters that no argument can contain are replaced', () => {
  const read = execFileSync('bash', ['-c', `printf %s ${shellLine(['a\0b'])}`]);
  assert.equal(read.toString(), 'a\ufffdb');
  assert.equal(
    execFileSync('bash', ['-c', `printf %s ${shellWord('a\ud800')}`]).toString(),
    'a\ufffd',
  );
});

test('ordinary words stay unchanged', () => {
  for (const word of ['https://a.test:443/b%20c', '--to', 'a=b', 'x@y.z', '/tmp/a-b_c.d']) {
    assert.equal(shellWord(word), word);
  }
});
