import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { packagedProgram, projectFolder } from '../ground/system/folders.mjs';
import { readIdentity } from '../ground/system/identity.ts';

/** What the package contains; npm packs it and little else. */
const BUILT = path.join(projectFolder, 'dist');

/** Files and folders that no command of a package reads. */
const NOT_RUN = [
  /(^|\/)(test|bench)\//,
  /^(docs\/(?!explanation\/security\.md)|\.ci\/|setup\/container\/|studies\/jaeger\/data\/|action\.yml)/,
  /^studies\/is-quic-faster\/(plans|records|results|figures)\//,
  /^bin\/(docs|package|reference|study-list|quic-vs-https\.m)/,
  /(^|\/)(\.[^/]*|[^/]*\.(png|svg|cff))$/,
  // Messages name the other two.
  /^(?!(servers\/README|docs\/explanation\/security)\.md$).*\.md$/,
  /^(tsconfig|biome|package-lock)\.json$/,
];

/** Makes JavaScript of TypeScript, with declarations and source maps. */
function compile(): void {
  const options = ['--noEmit', 'false', '--outDir', BUILT, '--rootDir', projectFolder];
  const kinds = ['--declaration', '--sourceMap', '--rewriteRelativeImportExtensions'];
  execFileSync(packagedProgram('tsc', 'typescript'), [...options, ...kinds], {
    cwd: projectFolder,
    stdio: 'inherit',
  });
  const files = readdirSync(BUILT, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(BUILT, path.join(parentPath, name)));
  for (const file of files) {
    if (!isRun(file)) rmSync(path.join(BUILT, file));
    else if (file.endsWith('.js')) adapt(path.join(BUILT, file));
  }
}

/** Copies what is no TypeScript. */
function copy(): void {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: projectFolder, encoding: 'utf8' });
  for (const file of listed.split('\0').filter(isRun)) {
    if (file === '' || file.endsWith('.ts')) continue;
    const to = path.join(BUILT, file);
    mkdirSync(path.dirname(to), { recursive: true });
    cpSync(path.join(projectFolder, file), to);
    if (/\.(mjs|py)$/.test(file)) adapt(to);
  }
}

function isRun(file: string): boolean {
  return !NOT_RUN.some((each) => each.test(file));
}

/** In a package, programs that are started by their path are JavaScript, and commands are no npm scripts. */
function adapt(file: string): void {
  const text = readFileSync(file, 'utf8')
    .replace(/(?<=[\w-])\.ts(?=['"`])/g, '.js')
    .replace(
      /npm run (?:--silent )?(\$\{[^}]*\}|[a-z][\w:]*)(?: --(?![\w-]))?/g,
      'quic-vs-https $1',
    );
  writeFileSync(file, text);
}

rmSync(BUILT, { recursive: true, force: true });
compile();
copy();
writeFileSync(path.join(BUILT, 'identity.json'), `${JSON.stringify(readIdentity())}\n`);
