import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { AskedTransfer } from '../../clients/transferrer.ts';
import { cellKey } from '../../ground/records/cell.ts';
import type { AskedNetwork } from '../../ground/records/network.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { RunChoices, Trial } from '../../ground/records/run.ts';
import { tcpOf } from '../../network/path.ts';
import { type Bench, pidOf } from '../measuring.ts';
import { transfersOf } from './choices.ts';
import { limitedByOf } from './limits/model.ts';
import { type Raised, raise } from './raising.ts';
import type { Limit, LimitedBy, TransferDetails } from './records.ts';
import { beginningOf, type Ends, transferWatched } from './watched.ts';

type Explained = NonNullable<TransferDetails['explains']>;

/** How often each way; all of three faster than all of three others come about by chance once in twenty. */
const REPETITIONS = 3;

/** What is repeated. */
interface Explaining extends Ends {
  client: string;
  asked: AskedTransfer;
  network: AskedNetwork;
  networkSeed: number;
  limitedBy: LimitedBy & { limit: Limit };
}

/** Cells of which a transfer has been explained, by run. */
const cellsOf = new WeakMap<RunChoices, Promise<Set<string>>>();

/** Whether a transfer is the first of its cell that is to be explained, in this invocation and those before. */
export async function isToExplain(
  trial: Trial,
  { choices, made }: Pick<Bench, 'choices' | 'made'>,
): Promise<boolean> {
  if (trial.warmup || !transfersOf({ choices }).explains) return false;
  const reading = cellsOf.get(choices) ?? explainedCells(made());
  cellsOf.set(choices, reading);
  const cells = await reading;
  const cell = cellKey(trial);
  const isFirst = !cells.has(cell);
  cells.add(cell);
  return isFirst;
}

async function explainedCells(attempts: AsyncIterable<Observation>): Promise<Set<string>> {
  const cells = new Set<string>();
  for await (const each of attempts) {
    if ((each.details as TransferDetails | null)?.explains) cells.add(cellKey(each));
  }
  return cells;
}

/**
 * Repeats a transfer with the limit that was told raised and with nothing changed, in turns.
 * @throws what the path and the client's program throw
 */
export async function explain(
  explaining: Explaining,
  bench: Pick<Bench, 'path' | 'choices' | 'signal'>,
): Promise<Explained> {
  const { limit } = explaining.limitedBy;
  const raised = raise(limit, { ...explaining, isPinned: bench.choices.pinned !== null });
  const nothing = { raised: limit, asItWasMs: [], raisedMs: [], helped: false, limitThen: null };
  if (typeof raised === 'string') return { ...nothing, how: raised };
  const explained: Explained = { ...nothing, how: raised.how };
  const limits: (Limit | null)[] = [];
  for (let repetition = 0; repetition < REPETITIONS; repetition++) {
    const before = await again(explaining, null, bench);
    const after = await again(explaining, raised, bench);
    if (before.totalMs !== null) explained.asItWasMs.push(before.totalMs);
    if (after.totalMs !== null) explained.raisedMs.push(after.totalMs);
    limits.push(after.limit);
  }
  const isWhole = [explained.asItWasMs, explained.raisedMs].every(
    ({ length }) => length === REPETITIONS,
  );
  return {
    ...explained,
    helped: isWhole && Math.max(...explained.raisedMs) < Math.min(...explained.asItWasMs),
    limitThen: commonest(limits),
  };
}

/** One more transfer, which counts for nothing; times are null when it came to no end. */
async function again(
  { server, transferrer, asked, network, networkSeed }: Explaining,
  raised: Raised | null,
  { path, choices: { pinned }, signal }: Pick<Bench, 'path' | 'choices' | 'signal'>,
): Promise<{ totalMs: number | null; limit: Limit | null }> {
  signal?.throwIfAborted();
  // Nothing of the transfer before may help this one.
  await transferrer.prepare();
  const pids = [pidOf(server), transferrer.pid];
  const ofArm = tcpOf(server.stack.settings, network);
  try {
    if (raised?.tcp) await path.setTcp({ ...ofArm, ...raised.tcp });
    if (raised?.allCores && pinned) await holdTo(pids, everyCore(pinned));
    await path.apply({ ...network, ...raised?.network, seed: networkSeed }, beginningOf(asked));
    const { made, observed } = await transferWatched(
      { ...asked, ...raised?.asked },
      { server, transferrer },
      { path },
    );
    if (observed === null) return { totalMs: null, limit: null };
    return { totalMs: made.lastByteMs, limit: limitedByOf(observed).limit };
  } finally {
    if (raised?.tcp) await path.setTcp(ofArm);
    if (raised?.allCores && pinned) {
      await holdTo([pidOf(server)], pinned.serverCores);
      await holdTo([transferrer.pid], pinned.browserCores);
    }
  }
}

function everyCore({
  browserCores,
  serverCores,
  linkCores,
}: NonNullable<RunChoices['pinned']>): number[] {
  return [...browserCores, ...serverCores, ...linkCores];
}

const run = promisify(execFile);

/** All threads of these processes. */
async function holdTo(pids: readonly number[], cores: readonly number[]): Promise<void> {
  for (const pid of pids) {
    await run('taskset', ['--all-tasks', '--pid', '--cpu-list', cores.join(), String(pid)]);
  }
}

/** More than half of them; null: there is none, or it was not told. */
function commonest(limits: readonly (Limit | null)[]): Limit | null {
  const groups = [...Map.groupBy(limits, (limit) => limit)];
  return groups.find(([, own]) => 2 * own.length > limits.length)?.[0] ?? null;
}
