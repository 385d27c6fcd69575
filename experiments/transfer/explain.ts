import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { TransferRequest } from '../../clients/transfer-client.ts';
import { cellKey } from '../../ground/records/cell.ts';
import type { NetworkCondition } from '../../ground/records/network.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { RunChoices, Trial } from '../../ground/records/run.ts';
import { tcpSettingsOf } from '../../network/path.ts';
import { type Bench, pidOf } from '../measuring.ts';
import { transfersOf } from './choices.ts';
import { limitedByOf } from './limits/model.ts';
import type { Limit, LimitedBy, TransferDetails } from './records.ts';
import { type Relaxation, relaxLimit } from './relaxation.ts';
import { beginningOf, type TransferEnds, watchTransfer } from './watch-transfer.ts';

type Explanation = NonNullable<TransferDetails['explains']>;

/** Transfers of each kind. By chance, all relaxed ones are faster than all unchanged ones once in twenty. */
const REPETITIONS = 3;

interface RepeatableTransfer extends TransferEnds {
  client: string;
  request: TransferRequest;
  network: NetworkCondition;
  networkSeed: number;
  /** Whether the repetitions are captured, because the sender does not report its state. */
  captures: boolean;
}

interface LimitedTransfer extends RepeatableTransfer {
  limitedBy: LimitedBy & { limit: Limit };
}

/** Cells (arm, subject and condition) with an explained transfer, by run. */
const cellsOf = new WeakMap<RunChoices, Promise<Set<string>>>();

/** Whether a transfer is the first of its cell to explain, earlier invocations included. */
export async function needsExplanation(
  trial: Trial,
  { choices, recordedAttempts: made }: Pick<Bench, 'choices' | 'recordedAttempts'>,
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
    const details = each.details as TransferDetails | null;
    if (details?.explains || details?.limitInRepetition) cells.add(cellKey(each));
  }
  return cells;
}

/**
 * Repeats a transfer to find its limit from the packets on the path. Only uncounted transfers are captured: a capture slows
 * the fastest ones.
 * @returns null if the repetition failed
 * @throws errors of the path and of the client's program
 */
export async function judgeByPackets(
  transfer: RepeatableTransfer,
  bench: Pick<Bench, 'path' | 'choices' | 'signal'>,
): Promise<LimitedBy | null> {
  const { limitedBy } = await repeatTransfer(transfer, null, bench);
  if (limitedBy === null || limitedBy.limit !== null || limitedBy.packets) return limitedBy;
  return { ...limitedBy, because: `${limitedBy.because} Packets on the path are missing too.` };
}

/**
 * Repeats a transfer, alternating between unchanged and with its limit relaxed.
 * @throws errors of the path and of the client's program
 */
export async function explain(
  transfer: LimitedTransfer,
  bench: Pick<Bench, 'path' | 'choices' | 'signal'>,
): Promise<Explanation> {
  const { limit } = transfer.limitedBy;
  const isPinned = bench.choices.pinned !== null;
  const isRunning = transfer.server.shown !== undefined;
  const relaxation = relaxLimit(limit, { ...transfer, isPinned, isRunning });
  const unexplained = {
    relaxed: limit,
    unchangedMs: [],
    relaxedMs: [],
    helped: false,
    limitAfter: null,
  };
  if (typeof relaxation === 'string') return { ...unexplained, how: relaxation };
  const explanation: Explanation = { ...unexplained, how: relaxation.description };
  const limits: (Limit | null)[] = [];
  for (let repetition = 0; repetition < REPETITIONS; repetition++) {
    const before = await repeatTransfer(transfer, null, bench);
    const after = await repeatTransfer(transfer, relaxation, bench);
    if (before.totalMs !== null) explanation.unchangedMs.push(before.totalMs);
    if (after.totalMs !== null) explanation.relaxedMs.push(after.totalMs);
    limits.push(after.limitedBy?.limit ?? null);
  }
  const isWhole = [explanation.unchangedMs, explanation.relaxedMs].every(
    ({ length }) => length === REPETITIONS,
  );
  return {
    ...explanation,
    helped: isWhole && Math.max(...explanation.relaxedMs) < Math.min(...explanation.unchangedMs),
    limitAfter: majorityLimit(limits),
  };
}

/** Makes one more transfer, which does not count; null if it failed. */
async function repeatTransfer(
  { server, transferClient, request, network, networkSeed, captures }: RepeatableTransfer,
  relaxation: Relaxation | null,
  { path, choices: { pinned }, signal }: Pick<Bench, 'path' | 'choices' | 'signal'>,
): Promise<{ totalMs: number | null; limitedBy: LimitedBy | null }> {
  signal?.throwIfAborted();
  // Removes state of the transfer before.
  await transferClient.prepare();
  const ofArm = tcpSettingsOf(server.stack.settings, network);
  try {
    if (relaxation?.tcp) await path.setTcp({ ...ofArm, ...relaxation.tcp });
    if (relaxation?.allCores && pinned) {
      await pinToCores([pidOf(server), transferClient.pid], everyCore(pinned));
    }
    await path.apply(
      { ...network, ...relaxation?.network, seed: networkSeed },
      beginningOf(request, { captures }),
    );
    const { made, observed } = await watchTransfer(
      { ...request, ...relaxation?.request },
      { server, transferClient },
      { path, rttMs: relaxation?.network?.rttMs ?? network.rttMs, captures },
    );
    if (observed === null) return { totalMs: null, limitedBy: null };
    return { totalMs: made.lastByteMs, limitedBy: limitedByOf(observed) };
  } finally {
    if (relaxation?.tcp) await path.setTcp(ofArm);
    if (relaxation?.allCores && pinned) {
      await pinToCores([pidOf(server)], pinned.serverCores);
      await pinToCores([transferClient.pid], pinned.browserCores);
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

/** Pins all threads of these processes. */
async function pinToCores(pids: readonly number[], cores: readonly number[]): Promise<void> {
  for (const pid of pids) {
    await run('taskset', ['--all-tasks', '--pid', '--cpu-list', cores.join(), String(pid)]);
  }
}

/** The limit of more than half of the transfers; null: no majority, or unknown. */
function majorityLimit(limits: readonly (Limit | null)[]): Limit | null {
  const groups = [...Map.groupBy(limits, (limit) => limit)];
  return groups.find(([, own]) => 2 * own.length > limits.length)?.[0] ?? null;
}
