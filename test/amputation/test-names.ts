import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Folders without sources of the project. */
export const ELSEWHERE = [
  'node_modules',
  '.venv',
  '.setup',
  'cache/{sites,videos}',
  'results',
  'exports',
  'dist',
];

/** Files of tests anywhere in a project, by their paths in it. */
export function testFilesIn(root: string): string[] {
  return globSync('**/*.test.ts', { cwd: root, exclude: ELSEWHERE }).toSorted();
}

/** Patterns of test files that npm scripts run, by script. */
export function patternsIn(scripts: Readonly<Record<string, string>>): Map<string, string[]> {
  const tests = Object.entries(scripts).filter(([name]) => /^test(:|$)/.test(name));
  return new Map(
    tests.map(([name, script]) => [
      name,
      [...script.matchAll(/"([^"]*\.test\.ts)"/g)].map(([, pattern = '']) => pattern),
    ]),
  );
}

/** The names in a file of tests: the source for a template. */
export function testNamesIn(source: string): string[] {
  const calls = source.matchAll(
    /^ *(?:await )?(?:t\.)?(?:test|describe|it)(?:\.\w+)?\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/gm,
  );
  return [...calls].map(([, , name = '']) => name);
}

/** Prints the names of a project's tests, sorted, so that two versions can be compared wherever the tests have moved. */
if (import.meta.main) {
  const root = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '..', '..'));
  // Tests that several files share are in files with other names.
  const files = globSync('**/test/**/*.ts', { cwd: root, exclude: ELSEWHERE });
  const names = files.flatMap((file) => testNamesIn(readFileSync(path.join(root, file), 'utf8')));
  for (const name of names.toSorted()) console.log(name);
}
