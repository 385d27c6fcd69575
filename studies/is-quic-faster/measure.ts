import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { pageLoad } from '../../experiments/page-load/experiment.ts';
import { readObservations, readRun } from '../../ground/records/read.ts';
import { runFolder } from '../../ground/records/run-folder.ts';
import { type Shard, shardText } from '../../ground/records/shard.ts';
import { UsageError } from '../../ground/system/errors.ts';
import { EXIT } from '../../ground/system/exit-status.ts';
import { projectFolder } from '../../ground/system/folders.mjs';
import { complain } from '../../ground/system/printed.mjs';
import { trialsOfShard } from '../../runner/campaign/part.ts';
import { PARTS, type Part, SITTINGS } from './parts.ts';
import { planText } from './plans.ts';

const USAGE = `node studies/is-quic-faster/measure.ts SITTING FOLDER, with a number from 1 to ${SITTINGS}`;

/** Measures a sitting: of each part the blocks of this sitting, by the frozen plan of the part. Resumes what was interrupted. */
async function measureSitting(sitting: number, folder: string): Promise<number> {
  // Each sitting begins with another part, so that no part is always last.
  const first = ((sitting - 1) * 5) % PARTS.length;
  const shard: Shard = { index: sitting, count: SITTINGS, by: 'blocks' };
  for (const part of [...PARTS.slice(first), ...PARTS.slice(0, first)]) {
    const out = path.join(folder, String(sitting), part.name);
    const isBegun = existsSync(runFolder(out).run);
    if (isBegun && (await isComplete(out, shard))) continue;
    complain(`${shardText(shard)}, ${new Date().toISOString()}: ${part.title}`);
    const ofSitting = ['--shard', `${sitting}/${SITTINGS}`, '--shard-by', 'blocks'];
    const status = await benchmark(
      isBegun
        ? ['--resume', out]
        : ['--plan', await unpackedPlan(part, folder), ...ofSitting, '--out', out],
    );
    // Failed loads are results.
    if (status !== EXIT.ok && status !== EXIT.someLoadsNotOk) return status;
  }
  return EXIT.ok;
}

async function isComplete(folder: string, shard: Shard): Promise<boolean> {
  const { trials } = await readRun(folder);
  const made = new Set((await readObservations(folder, pageLoad)).observations.map(({ id }) => id));
  return trialsOfShard(trials, shard).every(({ id, warmup }) => warmup || made.has(id));
}

async function unpackedPlan({ name }: Part, folder: string): Promise<string> {
  const file = path.join(folder, 'plans', `${name}.json`);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, planText(name));
  return file;
}

/** The exit status of the command, which gets Ctrl-C itself. */
function benchmark(args: readonly string[]): Promise<number> {
  const program = path.join(projectFolder, 'bin', 'quic-vs-https.ts');
  const command = spawn(process.execPath, [program, 'benchmark', ...args], {
    stdio: 'inherit',
  });
  const ignore = () => {};
  const stop = () => command.kill();
  process.on('SIGINT', ignore);
  process.on('SIGTERM', stop);
  return new Promise((resolve, reject) => {
    command.on('error', reject);
    command.on('exit', (status) => {
      process.off('SIGINT', ignore);
      process.off('SIGTERM', stop);
      resolve(status ?? 1);
    });
  });
}

const { positionals } = parseArgs({ allowPositionals: true });
const [sitting, folder] = [Number(positionals[0]), positionals[1]];
if (!(sitting >= 1 && sitting <= SITTINGS) || !folder) throw new UsageError(USAGE);
process.exitCode = await measureSitting(sitting, folder);
