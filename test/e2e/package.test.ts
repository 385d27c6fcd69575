import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { EXIT } from '../../ground/system/exit-status.ts';
import { NODE, projectFolder } from '../../ground/system/folders.mjs';
import { temporaryFolder } from '../temporary-folder.ts';

const MAX_BYTES = 3e6;
const LIMIT_MS = 300_000;
/** Versions that the package supports; the newest is the project's own. */
const NODES = process.env.TEST_STACKS === 'all' ? ['20', '22', '24'] : ['20'];

const { version } = JSON.parse(readFileSync(path.join(projectFolder, 'package.json'), 'utf8'));

const root = temporaryFolder({ after });
const archive = path.join(root, `quic-vs-https-${version}.tgz`);
/** Where the package is installed. */
const installed = path.join(root, 'installed', 'node_modules', '.bin', 'quic-vs-https');

function run(
  program: string,
  args: readonly string[],
  { cwd = root, env = {} }: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): SpawnSyncReturns<string> {
  const options = { cwd, env: { ...process.env, ...env }, timeout: LIMIT_MS };
  return spawnSync(program, args, { ...options, encoding: 'utf8', maxBuffer: 1e8 });
}

function succeed(...args: Parameters<typeof run>): string {
  const { status, stdout, stderr, error } = run(...args);
  assert.equal(status, 0, `${args[0]} ${args[1].join(' ')}: ${error ?? ''}\n${stderr}`);
  return stdout;
}

/** A clone with this folder's tracked files as they are, so that nothing is built in this folder. */
function copyOfProject(): string {
  const copy = path.join(root, 'project');
  succeed('git', ['clone', '--quiet', '--no-hardlinks', projectFolder, copy]);
  const tracked = succeed('git', ['-C', projectFolder, 'ls-files', '-z']).split('\0');
  for (const file of tracked.filter((each) => existsSync(path.join(projectFolder, each)))) {
    if (file !== '') cpSync(path.join(projectFolder, file), path.join(copy, file));
  }
  symlinkSync(path.join(projectFolder, 'node_modules'), path.join(copy, 'node_modules'));
  return copy;
}

before(() => {
  succeed('npm', ['pack', '--silent', '--pack-destination', root], { cwd: copyOfProject() });
  mkdirSync(path.join(root, 'installed'));
  const nodes = NODES.map((major) => `node-${major}@npm:${NODE}@${major}`);
  const npm = ['install', '--silent', '--no-audit', '--no-fund', '--prefer-offline'];
  succeed('npm', [...npm, '--prefix', 'installed', archive, ...nodes]);
});

test('the package has JavaScript with declarations and source maps, and only what runs', () => {
  assert.ok(statSync(archive).size <= MAX_BYTES, `${statSync(archive).size} bytes`);
  const files = succeed('tar', ['-tzf', archive]).trim().split('\n');
  const programs = files.filter((file) => file.endsWith('.js'));
  assert.ok(programs.length > 500);
  for (const file of programs) {
    assert.ok(files.includes(`${file}.map`), file);
    assert.ok(files.includes(file.replace(/\.js$/, '.d.ts')), file);
  }
  const notRun = /\/(test|bench)\/|(?<!\.d)\.ts$/;
  assert.deepEqual(
    files.filter((file) => notRun.test(file)),
    [],
  );
});

for (const major of NODES) {
  test(`the installed package runs from an empty folder and home on Node ${major}`, () => {
    const home = path.join(root, `home-${major}`);
    const cwd = path.join(root, `empty-${major}`);
    for (const folder of [home, cwd]) mkdirSync(folder);
    const node = path.join(root, 'installed', 'node_modules', `node-${major}`, 'bin', 'node');
    assert.match(succeed(node, ['--version']), new RegExp(`^v${major}\\.`));
    const env = { HOME: home, XDG_CACHE_HOME: '', XDG_DATA_HOME: '', npm_execpath: undefined };
    const tool = (...words: string[]) => run(node, [installed, ...words], { cwd, env });
    const outputOf = (...words: string[]) => succeed(node, [installed, ...words], { cwd, env });

    assert.match(
      outputOf('--version'),
      new RegExp(`^quic-vs-https ${version} \\(commit [0-9a-f]+`),
    );
    const help = outputOf('benchmark', '--help');
    assert.match(help, /^Usage: quic-vs-https benchmark \[options\]/);
    assert.doesNotMatch(help, /npm run| -- --/);
    const made = path.join(home, '.cache', 'quic-vs-https', version);
    assert.ok(!existsSync(path.join(made, '.venv')), 'help and version need no set-up');

    const nowhere = run(node, [installed, 'benchmark'], {
      cwd,
      env: { ...env, XDG_CACHE_HOME: '/dev/null' },
    });
    assert.equal(nowhere.status, EXIT.machine);
    assert.match(nowhere.stderr, /set XDG_CACHE_HOME .*\n$/);

    const few = ['--sites', 'www.example.org', '--repetitions', '3', '--rtt', '0'];
    outputOf('benchmark', ...few, '--out', 'results/one');
    const page = readFileSync(path.join(cwd, 'results', 'one', 'report.html'), 'utf8');
    assert.match(page, /<code>quic-vs-https benchmark <bdi>--sites/);
    assert.doesNotMatch(page, /npm run|quic-vs-https \w+ -- /);
    assert.ok(existsSync(path.join(cwd, 'results', 'latest')));
    assert.match(outputOf('report'), /results\/latest\/report\.html\n$/);
    assert.match(outputOf('sites'), /^www\.example\.org /m);
    assert.ok(
      existsSync(path.join(home, '.cache/quic-vs-https', version, 'cache/sites/www.example.org')),
    );
    assert.match(tool('doctor').stdout, /This machine can/);
    assert.equal(tool('benchmark', '--rtt', 'x').status, EXIT.usage);
  });
}
