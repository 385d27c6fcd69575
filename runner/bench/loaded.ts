import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { allExperiments } from '../../experiments/index.ts';
import { projectFolder } from '../../ground/system/folders.mjs';
import { withTemporaryFolder } from '../../ground/system/temporary-folder.ts';
import { readOptions } from './harness/options.ts';
import { printRow } from './harness/table.ts';

// How many modules of this project each command loads, and how many lines they have. Commands that need no network run to
// their end; the rest print their help, which loads what reading the command line needs.
const values = readOptions(
  'Counts the modules of this project that each command loads, and their lines. --files prints the files of one command.',
  {
    /** Prints the files of this command too. */
    files: { type: 'string' },
  },
);

/** One page by two stacks, under the usual conditions. */
const BENCHMARK = ['--sites', 'shower-deck', '--stacks', 'lsquic-h3,bun-h2', '--budget', '30s'];

await withTemporaryFolder('logs', async (folder) => {
  const run = path.join(folder, 'run');
  const commands = [
    ['benchmark', ...BENCHMARK, '--out', run],
    ['report', run],
    ['sites'],
    ['doctor'],
    ...allExperiments().flatMap(({ command }) => (command ? [[command.name, '--help']] : [])),
    ...['record', 'import', 'export', 'merge', 'packets'].map((name) => [name, '--help']),
    ...['open', 'serve', 'get', 'network'].map((name) => [name, '--help']),
  ];
  printRow(['command', 'modules', 'lines', 'packages']);
  for (const [name = '', ...words] of commands) {
    const { own, packages } = loadedBy([name, ...words], path.join(folder, 'loaded.json'));
    const lines = own.reduce((sum, file) => sum + linesOf(file), 0);
    const isHelp = words[0] === '--help';
    printRow([`${name}${isHelp ? ' --help' : ''}`, ...[own.length, lines, packages].map(String)]);
    if (values.files === name) {
      for (const file of own) console.log(`    ${path.relative(projectFolder, file)}`);
    }
  }
});

function linesOf(file: string): number {
  return readFileSync(file, 'utf8').split('\n').length - 1;
}

/** Files of this project that a command loads, and the number of modules of packages. */
function loadedBy(
  words: readonly string[],
  file: string,
): { own: readonly string[]; packages: number } {
  const hook = path.join(import.meta.dirname, 'loaded', 'hook.mjs');
  const program = path.join(projectFolder, 'bin', 'quic-vs-https.ts');
  const { status, stderr } = spawnSync(process.execPath, ['--import', hook, program, ...words], {
    encoding: 'utf8',
    env: { ...process.env, LOADED_FILE: file },
  });
  // A run of few loads decides nothing, and a machine may lack something: both end with a status of their own.
  if (status === null || status === 1) throw new Error(`${words.join(' ')}: ${stderr}`);
  const urls: string[] = JSON.parse(readFileSync(file, 'utf8'));
  const files = urls.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url));
  const own = files.filter((each) => !each.includes('/node_modules/') && each !== hook);
  return { own, packages: files.length - own.length };
}
