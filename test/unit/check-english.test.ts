import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingsInPage, retiredWords } from '../check-english.ts';

const PAGE = 'docs/page.md';

test('rejects a retired word in source, comment and path, also over a line break', () => {
  const rejected = [
    "throw new Error('The server was not asked.');",
    '/** What becomes of a load. */',
    '/** What becomes\n * of a load. */',
    'const others = rows.slice(1);',
    'It is\nof no use.',
  ];
  for (const source of rejected) {
    assert.equal(retiredWords('runner/run.ts', source).length, 1, source);
  }
  assert.equal(retiredWords('runner/told-events.ts', '').length, 1);
  assert.deepEqual(retiredWords('runner/run.ts', "const tasks = ['retell', 'mother'];"), []);
});

test('rejects a sentence of more than 35 words, and counts neither code nor tables as one', () => {
  const words = (count: number) => `${'word '.repeat(count - 1)}end.`;
  const sentences = (text: string) =>
    findingsInPage(PAGE, text).filter((each) => each.text.startsWith('a sentence'));
  assert.deepEqual(sentences(words(35).replace(/(.{60}) /g, '$1\n')), []);
  assert.equal(sentences(words(36)).length, 1);
  assert.equal(sentences(`- ${words(36)}`).length, 1);
  assert.deepEqual(sentences(`${words(20)} And ${words(20)}`), []);
  assert.deepEqual(sentences(`- ${words(20)}\n- ${words(20)}`), []);
  assert.deepEqual(sentences(`\`\`\`\n${words(40)}\n\`\`\`\n`), []);
});

test('rejects a line of more than 100 characters in text, and lets tables and code be longer', () => {
  const lines = (text: string) =>
    findingsInPage(PAGE, text).filter((each) => each.text.startsWith('a line'));
  assert.equal(lines(`${'a'.repeat(101)}\n`).length, 1);
  assert.deepEqual(lines(`${'a'.repeat(100)}\n`), []);
  assert.deepEqual(lines(`| ${'a'.repeat(101)} |\n`), []);
  assert.deepEqual(lines(`\`\`\`\n${'a'.repeat(101)}\n\`\`\`\n`), []);
});

test('rejects a link to a page or a heading that does not exist', () => {
  const links = (text: string) => findingsInPage('README.md', text).map((each) => each.text);
  assert.deepEqual(links('[page](docs/missing.md)'), ['leads nowhere: (docs/missing.md)']);
  assert.deepEqual(links('[page](CONTRIBUTING.md#no-such-heading)'), [
    'leads nowhere: (CONTRIBUTING.md#no-such-heading)',
  ]);
  assert.deepEqual(links('[page](CONTRIBUTING.md)'), []);
});
