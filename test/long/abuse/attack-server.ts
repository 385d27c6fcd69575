import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { pidOf } from '../../../experiments/measuring.ts';
import { startChild } from '../../../ground/system/child-process.ts';
import type { Machine } from '../../../runner/machine.ts';
import type { Server } from '../../../runner/servers.ts';
import type { AttackerReport, AttackerTask } from './attacker.ts';
import { type ProcessFacts, processFacts } from './process-facts.ts';

/** What one server endured, and its state after it. */
export interface AbuseResult {
  stack: string;
  /** The running attack. */
  now: string;
  /** By the name of the attack: all that are to be made. */
  attacks: Map<string, { rounds: number; sent: number; received: number; mostRssBytes: number }>;
  /** Before the first request. */
  fresh: ProcessFacts;
  /** After the warm-up. */
  before: ProcessFacts;
  after: ProcessFacts;
  /** Its processor share while idle, at the end. */
  restingCores: number;
  mostRssBytes: number;
  visits: number;
  /** Visits without a response in time during attacks or their aftermath. */
  heldUp: number;
  slowestVisitMs: number;
  /** The last output of the last attacker that broke. */
  lastWords: string;
  /** Violations; empty: passed. */
  faults: string[];
}

/** Parameters of an attack and its observation. */
export interface AbuseOptions {
  machine: Machine;
  server: Server;
  task: Pick<AttackerTask, 'target' | 'secrets' | 'seed' | 'only'>;
  attackMs: number;
  durationMs: number;
  /**
   * Loads the site as browsers do.
   * @throws Error when a response is not as expected
   */
  visit: () => Promise<void>;
  /** Maximum duration of a visit, also under attack. */
  visitLimitMs: number;
  /**
   * The share of visits that may take longer during attacks and their aftermath; later visits may
   * not.
   */
  heldUpAtMost: number;
  /** Time for the server to come to rest after the last attack. */
  restMs: number;
  /** Memory that it may hold then beyond its earlier use. */
  allowedGrowthBytes: number;
}

/** Every attack once, briefly. */
const WARM_UP_ROUND = { firstRound: 0, endRound: 1, durationMs: 600_000, attackMs: 1000 };
/** Longer than the servers' timeout of sessions that vanished silently. */
const WARM_UP_IDLE_MS = 30_000;
const BETWEEN_VISITS_MS = 1000;
/** Connections of the last visit may still be open. */
const FEW_FILES = 8;
/** More than timers need; a server that takes more still works for clients that are gone. */
const IDLE_CORES = 0.2;
const OUTPUT_TAIL_CHARACTERS = 1000;
const ROUNDS_TO_JUDGE = 3;
const PROGRAM = new URL('./attacker.ts', import.meta.url).pathname;

/**
 * Attacks a server for some time, visits it meanwhile as browsers do, and lets it come to rest. Its
 * memory is compared with that after every attack was made once: by then it has all its threads,
 * its code is compiled, and the allocators hold their reserve. Growth after many more attacks is a
 * leak.
 */
export async function attackServer(options: AbuseOptions): Promise<AbuseResult> {
  const { server, attackMs, durationMs } = options;
  const fresh = await processFacts(pidOf(server));
  const ordeal: AbuseResult = {
    stack: server.stack.stack,
    now: '',
    attacks: new Map(),
    fresh,
    before: fresh,
    after: fresh,
    mostRssBytes: fresh.rssBytes,
    restingCores: 0,
    visits: 0,
    heldUp: 0,
    slowestVisitMs: 0,
    lastWords: '',
    faults: [],
  };
  const stopped = new AbortController();
  const visiting = visitAgainAndAgain(options, ordeal, stopped.signal);
  await attack({ ...options.task, ...WARM_UP_ROUND }, options, ordeal);
  await sleep(WARM_UP_IDLE_MS);
  if (isWhole(options, ordeal)) ordeal.before = await leastMemory(pidOf(server));
  const endMs = performance.now() + durationMs;
  let firstRound = WARM_UP_ROUND.endRound;
  // An attack may break the attacker; the next one continues where it was.
  while (performance.now() < endMs && isWhole(options, ordeal)) {
    const rest = { firstRound, endRound: Number.MAX_SAFE_INTEGER };
    const limits = { attackMs, durationMs: endMs - performance.now() };
    firstRound = (await attack({ ...options.task, ...rest, ...limits }, options, ordeal)) + 1;
  }
  stopped.abort();
  await visiting;
  if (isWhole(options, ordeal)) await waitForIdle(options, ordeal);
  ordeal.faults.push(...attacksNotMade(ordeal));
  return ordeal;
}

/**
 * A server that was never attacked has proved nothing. On a busy machine a single attempt may fail,
 * several do not.
 */
function attacksNotMade({ attacks, lastWords }: AbuseResult): string[] {
  if ([...attacks.values()].every(({ sent }) => sent === 0)) {
    return [`none of ${attacks.size} attacks sent anything; an attacker said: ${lastWords}`];
  }
  const idle = [...attacks].filter(
    ([, { rounds, sent }]) => rounds === 0 || (sent === 0 && rounds >= ROUNDS_TO_JUDGE),
  );
  return idle.map(
    ([name, { rounds }]) =>
      `${name}: ${rounds === 0 ? 'never made' : 'nothing was sent'}; an attacker said: ${lastWords}`,
  );
}

/** Memory of a server between two visits: the minimum over some seconds. */
async function leastMemory(pid: number): Promise<ProcessFacts> {
  let least = await processFacts(pid);
  for (let looks = 0; looks < 20; looks++) {
    await sleep(250);
    const facts = await processFacts(pid);
    if (facts.rssBytes < least.rssBytes) least = facts;
  }
  return least;
}

/** Runs one attacker to its end, and returns the round it reached. */
async function attack(
  task: AttackerTask,
  { machine }: AbuseOptions,
  ordeal: AbuseResult,
): Promise<number> {
  const attacker = task.target.protocol === 'h3' ? machine.bun : process.execPath;
  const child = startChild('nice', ['-n', '10', attacker, PROGRAM]);
  child.process.stdin?.write(`${JSON.stringify(task)}\n`);
  let said = '';
  child.process.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-OUTPUT_TAIL_CHARACTERS);
  });
  let round = task.firstRound;
  if (!child.process.stdout) throw new Error('an attacker without stdout');
  for await (const line of createInterface(child.process.stdout)) {
    const report = JSON.parse(line) as AttackerReport;
    if ('planned' in report) {
      for (const name of report.planned) tallyOf(ordeal, name);
      continue;
    }
    if ('leaked' in report) {
      const fault = `${report.attack}: an answer held ${JSON.stringify(report.leaked)}`;
      if (!ordeal.faults.includes(fault)) ordeal.faults.push(fault);
      continue;
    }
    round = report.round;
    const tally = tallyOf(ordeal, report.attack);
    if ('begins' in report) {
      ordeal.now = report.attack;
      tally.rounds++;
      continue;
    }
    tally.sent += report.sent;
    tally.received += report.received;
    const facts = await processFacts(ordeal.fresh.pids[0] ?? 0).catch(() => null);
    tally.mostRssBytes = Math.max(tally.mostRssBytes, facts?.rssBytes ?? 0);
  }
  if ((await child.ended) !== 0) ordeal.lastWords = said;
  return round;
}

function tallyOf({ attacks }: AbuseResult, name: string) {
  const tally = attacks.get(name) ?? { rounds: 0, sent: 0, received: 0, mostRssBytes: 0 };
  attacks.set(name, tally);
  return tally;
}

async function visitAgainAndAgain(
  options: AbuseOptions,
  ordeal: AbuseResult,
  stopped: AbortSignal,
): Promise<void> {
  while (!stopped.aborted) {
    await visitOnce(options, ordeal, `at ${ordeal.now}`);
    const facts = await processFacts(pidOf(options.server)).catch(() => null);
    ordeal.mostRssBytes = Math.max(ordeal.mostRssBytes, facts?.rssBytes ?? 0);
    await sleep(BETWEEN_VISITS_MS, undefined, { signal: stopped }).catch(() => {});
  }
}

async function visitOnce(
  { visit, visitLimitMs, heldUpAtMost }: AbuseOptions,
  ordeal: AbuseResult,
  when: string,
): Promise<void> {
  const startMs = performance.now();
  const late = `no answer within ${visitLimitMs / 1000} s`;
  const outcome = await Promise.race([
    visit().then(
      () => null,
      (error: Error) => error.message,
    ),
    sleep(visitLimitMs, late, { ref: false }),
  ]);
  ordeal.visits++;
  ordeal.slowestVisitMs = Math.max(ordeal.slowestVisitMs, performance.now() - startMs);
  if (outcome === late && heldUpAtMost > 0) ordeal.heldUp++;
  else if (outcome !== null) ordeal.faults.push(`visit ${when}: ${outcome}`);
}

/** Whether the server is alive, with its original processes. */
function isWhole({ server }: AbuseOptions, ordeal: AbuseResult): boolean {
  try {
    server.assertAlive();
    return true;
  } catch (error) {
    const fault = (error as Error).message;
    if (!ordeal.faults.includes(fault)) ordeal.faults.push(fault);
    return false;
  }
}

/** Memory and files are released, and work is over, some time after the last connection is gone. */
async function waitForIdle(options: AbuseOptions, ordeal: AbuseResult): Promise<void> {
  const { before } = ordeal;
  const endMs = performance.now() + options.restMs;
  do {
    await sleep(BETWEEN_VISITS_MS);
    // Work left by attacks comes before a visit.
    await visitOnce(options, ordeal, 'afterwards');
    Object.assign(ordeal, await idleFacts(pidOf(options.server)));
  } while (!isIdle(options, ordeal) && performance.now() < endMs);
  await visitOnce({ ...options, heldUpAtMost: 0 }, ordeal, 'at rest');
  const { fresh, after, visits, heldUp, restingCores } = ordeal;
  const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MB`;
  if (heldUp > visits * options.heldUpAtMost) {
    ordeal.faults.push(`${heldUp} of ${visits} visits were held up`);
  }
  if (after.rssBytes - before.rssBytes > options.allowedGrowthBytes) {
    ordeal.faults.push(
      `memory ${megabytes(before.rssBytes)} before, ${megabytes(after.rssBytes)} after`,
    );
  }
  if (after.openFiles > before.openFiles + FEW_FILES) {
    ordeal.faults.push(`${before.openFiles} open files before, ${after.openFiles} after`);
  }
  if (restingCores > IDLE_CORES) {
    ordeal.faults.push(`${restingCores.toFixed(2)} of a processor taken while nobody asks`);
  }
  if (after.pids.join() !== fresh.pids.join()) {
    ordeal.faults.push(`processes ${fresh.pids} before, ${after.pids} after`);
  }
}

/** Processor use of an idle server for a moment, and its memory after it. */
async function idleFacts(pid: number): Promise<Pick<AbuseResult, 'after' | 'restingCores'>> {
  const startMs = performance.now();
  const { cpuMs } = await processFacts(pid);
  await sleep(BETWEEN_VISITS_MS);
  const after = await processFacts(pid);
  return { after, restingCores: (after.cpuMs - cpuMs) / (performance.now() - startMs) };
}

function isIdle(
  { allowedGrowthBytes }: AbuseOptions,
  { before, after, restingCores }: AbuseResult,
): boolean {
  return (
    restingCores <= IDLE_CORES &&
    after.rssBytes - before.rssBytes <= allowedGrowthBytes &&
    after.openFiles <= before.openFiles + FEW_FILES
  );
}
