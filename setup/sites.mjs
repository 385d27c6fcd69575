import { existsSync } from 'node:fs';
import { run } from './command.mjs';
import { SetupError } from './error.mjs';
import { fingerprint, inProject, readStamp, writeStamp } from './folders.mjs';

const node = inProject('node_modules', '.bin', 'node');

/** The sites that every copy of the project has: generated ones and pages from packages. */
export const sites = {
  name: 'sites',
  title: 'filling the site cache',
  isDone: () => readStamp('sites') === wanted() && existsSync(inProject('cache', 'sites')),
  run() {
    const { ok } = run(node, [inProject('cache', 'fill.ts')], { show: true });
    if (!ok) throw new SetupError('The site cache could not be filled; the message is above.');
    writeStamp('sites', wanted());
  },
};

// What decides the bytes of the cache: the code, the shapes, and the packages that pages are taken from.
const wanted = () =>
  fingerprint(
    'cache/generator',
    'cache/shapes',
    'cache/importers',
    'cache/fill.ts',
    'cache/manifest.ts',
    'package-lock.json',
  );
