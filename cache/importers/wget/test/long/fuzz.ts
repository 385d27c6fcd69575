import path from 'node:path';
import { partsOf, response } from '../../../../../test/long/fuzz-importers/archives.ts';
import { CANARY, exchangesOf } from '../../../../../test/long/fuzz-importers/exchange.ts';
import {
  CANARY_FILE,
  type FuzzInput,
  type FuzzMakers,
} from '../../../../../test/long/fuzz-importers/input.ts';
import { maybeMutated } from '../../../../../test/long/fuzz-importers/mutation.ts';
import type { Choices } from '../../../../../test/long/fuzz-importers/random.ts';
import { seedsIn } from '../../../../../test/long/fuzz-importers/seeds.ts';

/** By their paths below the imported folder. */
const SEEDS = seedsIn(path.join(import.meta.dirname, '../fixtures/converted'), '**/*');

export const FUZZ: FuzzMakers = { wget };

function wget(choices: Choices): FuzzInput {
  const files: FuzzInput['files'] = new Map();
  if (choices.chance(20)) {
    for (const [name, content] of SEEDS) {
      if (choices.chance(90)) files.set(`a/${name}`, maybeMutated(choices, content));
    }
  }
  for (const exchange of exchangesOf(choices)) {
    const { host, target } = partsOf(exchange.url);
    const content = maybeMutated(choices, response(exchange));
    // Hosts without a dot, with a port, and names that are no host's.
    const folder = choices.chance(90)
      ? plain(host)
      : choices.pick(['localhost:9100', 'intranet', 'x+1']);
    const name = plain(target === '/' ? 'index.html' : target.slice(1));
    files.set(`a/${folder}/${name}${choices.pick(['', '', '.html', '?x.css', '.orig'])}`, content);
    // As left by `--convert-links` and `--backup-converted`.
    if (choices.chance(20)) {
      files.set(`a/${folder}/${name}.orig`, content);
      files.set(`a/${folder}/${name}`, Buffer.from(choices.pick(CONVERTED)));
    }
  }
  if (choices.chance(10)) files.set('a/www.a.test/link', { link: `../../${CANARY_FILE}` });
  if (choices.chance(10)) files.set('a/linked.test', { link: '..' });
  if (choices.chance(10)) files.set('a/www.a.test/x/..%2f..%2fb', Buffer.from(CANARY.slice(0, 5)));
  if (files.size === 0) files.set('a/www.a.test/index.html', choices.bytes(choices.number(50)));
  return { archive: choices.pick(['a', 'a', 'a/www.a.test']), files };
}

const CONVERTED = [
  '<link rel="stylesheet" href="a.css%3Fx.css"><img src="../cdn.a.test/a.gif"><iframe src="index.html">',
  '<img src="%"><img src="%00"><img src="..%2f..%2foutside.txt"><img src="../../../outside.txt">',
  `<img src="${'../'.repeat(2_000)}a.gif">`,
  '"a"'.repeat(20_000),
];

/** A path that the file system accepts. */
function plain(part: string): string {
  const steps = part
    .replaceAll('\0', '')
    .split('/')
    .filter((step) => !['', '.', '..'].includes(step));
  return (
    steps
      .slice(0, 20)
      .map((step) => step.slice(0, 60))
      .join('/') || 'x'
  );
}
