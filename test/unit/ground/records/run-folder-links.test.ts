import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { program } from '../../../../bin/program.ts';
import { allExperiments } from '../../../../experiments/index.ts';
import { runFolder } from '../../../../ground/records/run-folder.ts';
import { EXIT } from '../../../../ground/system/exit-status.ts';
import { assertPlainFolder } from '../../../../ground/system/plain-folder.ts';
import { assertUnused, createFolder } from '../../../../runner/results.ts';
import { packetsCommand } from '../../../../tools/packets/command.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { fixtureRun, writeRun } from '../../report/fixture-run.ts';

interface Place {
  /** The folder of a run, with a planted file. */
  run: string;
  /** Another run. */
  other: string;
  /** Does not exist yet. */
  out: string;
}

/** Every command that opens the folder of a run; `--out` names a folder that a killed run left. */
const COMMANDS: Record<string, (place: Place) => string[]> = {
  report: ({ run }) => ['report', run],
  'report, rule': ({ run }) => ['report', run, '--fail-if', 'lsquic-h3 slower than bun-h2 by 5%'],
  'compare, first': ({ run, other, out }) => ['report', '--compare', run, other, '--out', out],
  'compare, second': ({ run, other, out }) => ['report', '--compare', other, run, '--out', out],
  'merge, first': ({ run, other, out }) => ['merge', run, other, '--out', out],
  'merge, second': ({ run, other, out }) => ['merge', other, run, '--out', out],
  packets: ({ run }) => ['packets', run],
  open: ({ run }) => ['open', run],
  'open a load': ({ run }) => ['open', run, 'bun-h2'],
  resume: ({ run }) => ['benchmark', '--resume', run],
  'resume a part': ({ run }) => ['benchmark', '--resume', run, '--shard', '1/2'],
  'resume from a queue': ({ run }) => [
    'benchmark',
    '--resume',
    run,
    '--queue',
    'redis://127.0.0.1',
  ],
};

/** Objects in place of a file or folder, by their creation. */
const KINDS: Record<string, (place: string, victim: string) => void> = {
  'a link to a file': (place, victim) => symlinkSync(path.join(victim, 'precious'), place),
  'a link to a folder': (place, victim) => symlinkSync(victim, place),
  'a link to nowhere': (place) => symlinkSync('/nowhere', place),
  'a link to an endless device': (place) => symlinkSync('/dev/zero', place),
  'a named pipe': (place) => {
    assert.equal(spawnSync('mkfifo', [place]).status, 0);
  },
};

/** Every file and folder of a run, its intermediate files, and the contents of its folders. */
const NAMES = [
  ...Object.values(runFolder('')).filter((name) => name !== ''),
  ...allExperiments().map(({ recordFile }) => recordFile),
  '.lock',
  '.lock/machine.1.1',
  '.reserve',
  'run.json.unfinished',
  'packets.csv.unfinished',
  'har/load.har',
  'har/load.har.unfinished',
  'packets/load.pcapng',
  'tcp-info/load.jsonl.gz',
  'logs/bun-h2.log',
  'parts/machine/run.json',
  'anything',
];

/**
 * Reads the report for each path with each kind, and runs each command with each path and with each
 * kind: not with both, for time.
 */
function commandsFor(turn: number) {
  return Object.entries(COMMANDS).filter(
    ([command], index) => command === 'report' || (index + turn) % Object.keys(KINDS).length === 0,
  );
}

/** A dangling run.json is missing, which another message reports. */
const isMissing = (name: string, kind: string) => name === 'run.json' && /nowhere/.test(kind);

async function places(t: TestContext) {
  const root = temporaryFolder(t);
  const [run, other, out, victim] = ['run', 'other', 'out', 'victim'].map((name) =>
    path.join(root, name),
  ) as [string, string, string, string];
  for (const folder of [run, other]) {
    await mkdir(folder);
    await writeRun(folder, fixtureRun());
  }
  mkdirSync(victim);
  writeFileSync(path.join(victim, 'precious'), 'precious');
  // Would be removed as a leftover of a killed run.
  writeFileSync(path.join(victim, 'precious.unfinished'), 'precious');
  return { run, other, out, victim };
}

/** Calls a command without its output; returns its errors. */
async function call(t: TestContext, words: readonly string[]) {
  const lines: unknown[] = [];
  const said = (line: unknown) => void lines.push(line);
  const mocks = (['log', 'error'] as const).map((name) => t.mock.method(console, name, said));
  const status = await program(words);
  for (const mock of mocks) mock.mock.restore();
  return { status, text: lines.join('\n') };
}

for (const [index, [kind, plant]] of Object.entries(KINDS).entries()) {
  test(`every command rejects a run's folder with ${kind} anywhere in it`, {
    timeout: 120_000,
  }, async (t) => {
    const { run, other, out, victim } = await places(t);
    for (const name of NAMES) {
      if (isMissing(name, kind)) continue;
      const folder = `${run}-planted`;
      await cp(run, folder, { recursive: true });
      const place = path.join(folder, name);
      await mkdir(path.dirname(place), { recursive: true });
      await rm(place, { force: true });
      plant(place, victim);
      for (const [command, wordsOf] of commandsFor(index + NAMES.indexOf(name))) {
        const { status, text } = await call(t, wordsOf({ run: folder, other, out }));
        const what = `${command}, ${name}: ${text}`;
        assert.equal(status, EXIT.usage, what);
        assert.ok(text.includes(place), what);
        await assertUntouched(victim, what);
        assert.ok(!(await readdir(path.dirname(out))).includes(path.basename(out)), what);
      }
      await rm(folder, { recursive: true });
    }
  });

  test(`a folder for a new run with ${kind} in it is rejected`, { timeout: 60_000 }, async (t) => {
    const { run, victim } = await places(t);
    const folder = `${run}-begun`;
    for (const name of NAMES) {
      const place = path.join(folder, name);
      await mkdir(path.dirname(place), { recursive: true });
      plant(place, victim);
      for (const open of [assertUnused, createFolder]) {
        await assert.rejects(open(folder), { name: 'UsageError' }, name);
      }
      await assertUntouched(victim, name);
      rmSync(folder, { recursive: true });
    }
  });
}

async function assertUntouched(victim: string, what: string): Promise<void> {
  assert.deepEqual((await readdir(victim)).sort(), ['precious', 'precious.unfinished'], what);
  for (const name of await readdir(victim)) {
    assert.equal(await readFile(path.join(victim, name), 'utf8'), 'precious', what);
  }
}

test('a capture of the latest run is not read if there is a link in its folder', async (t) => {
  const { run, victim } = await places(t);
  await mkdir(runFolder(run).packets);
  const choices = { keys: null, csv: null, flow: null, qlog: null, json: false };
  const { signal } = new AbortController();
  const dependencies = { latest: run, print() {}, complain() {}, signal };
  symlinkSync(path.join(victim, 'precious'), path.join(runFolder(run).packets, 'load.pcapng'));
  await assert.rejects(packetsCommand(['load'], choices, dependencies), /symbolic link/);
});

test('a named pipe is no capture, and is not waited for', { timeout: 20_000 }, async (t) => {
  const { run } = await places(t);
  const pipe = path.join(run, 'pipe.pcapng');
  KINDS['a named pipe']?.(pipe, '');
  const { status } = await call(t, ['packets', pipe]);
  assert.equal(status, EXIT.usage);
});

test('a run is found by a link to its folder, like results/latest', async (t) => {
  const { run } = await places(t);
  const latest = `${run}-latest`;
  symlinkSync(run, latest);
  const { status, text } = await call(t, ['report', latest]);
  assert.equal(status, EXIT.ok, text);
});

test('a folder that is too deep, or has too many entries, is rejected without walking to its end', async (t) => {
  const folder = temporaryFolder(t);
  await mkdir(path.join(folder, ...Array(100).fill('a')), { recursive: true });
  assert.throws(() => assertPlainFolder(folder), { name: 'UsageError' });
});

test('files of another user are mentioned once', {
  skip: process.geteuid?.() !== 0 && 'only root can give files away',
}, async (t) => {
  const { run } = await places(t);
  chownSync(runFolder(run).invocations, 12345, 12345);
  const warnings: string[] = [];
  for (let time = 0; time < 2; time++)
    assertPlainFolder(run, (sentence) => warnings.push(sentence));
  assert.equal(warnings.length, 1);
  assert.match(warnings[0] ?? '', /uid 12345/);
});
