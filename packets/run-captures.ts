import { existsSync } from 'node:fs';
import path from 'node:path';
import { conditionText } from '../experiments/condition.ts';
import { experimentOf } from '../experiments/index.ts';
import { writeFileAtomically } from '../ground/records/atomic-file.ts';
import { inFolder } from '../ground/records/file-name.ts';
import { FORMAT } from '../ground/records/format.ts';
import { openLines } from '../ground/records/lines-file.ts';
import type { Observation } from '../ground/records/observation.ts';
import type { AttemptPackets } from '../ground/records/packets.ts';
import { eachObservation, readPackets, readRun } from '../ground/records/read.ts';
import type { RunRecord } from '../ground/records/run.ts';
import { runFolder } from '../ground/records/run-folder.ts';
import { UsageError } from '../ground/system/errors.ts';
import { countWithNoun } from '../kit/text/number.ts';
import { NO_PACKETS } from './connections/capture-reader.ts';
import { writeFlowPage } from './flow/page.ts';
import { withQlogs } from './qlog/write.ts';
import { beginTables, readIntoTables } from './tables/files.ts';
import { windowsOf } from './windows/captured.ts';

interface RunCapture {
  attempt: Observation;
  /** Capture, relative to the run's folder. */
  file: string;
  /** Page of the capture, shared with captures of other arms; relative to the run's folder. */
  page: string;
}

/**
 * Reads the new captures of a run into packets.jsonl, packets.csv and wire-connections.csv; writes qlogs if the run wants them, and
 * draws the captures.
 * @param begin receives the number of new captures, if there are any
 * @returns the number of captures of the run
 * @throws MachineError without tshark
 */
export async function readRunCaptures(
  folder: string,
  begin: (captures: number) => void = () => {},
  signal?: AbortSignal,
): Promise<number> {
  const run = await readRun(folder);
  const captured = await capturesOf(folder, run);
  const kept = new Set(captured.map(({ attempt }) => attempt.id));
  const files = runFolder(folder);
  const all = await readPackets(folder);
  const haveTables = existsSync(files.packetTable) && existsSync(files.connectionTable);
  const before = haveTables ? all.filter(({ id }) => kept.has(id)) : [];
  const known = new Set(before.map(({ id }) => id));
  const unread = captured.filter(({ attempt }) => !known.has(attempt.id));
  if (unread.length === 0 && before.length === all.length) return captured.length;
  if (unread.length > 0) begin(unread.length);
  await beginTables(files, known);
  await writeFileAtomically(
    files.packetRecords,
    before.map((record) => `${JSON.stringify(record)}\n`).join(''),
  );
  const records = await openLines(files.packetRecords);
  try {
    for (const each of unread) {
      signal?.throwIfAborted();
      await records.append(
        await readOne(each, { folder, qlogs: run.choices.qlogs === true, signal }),
      );
    }
  } finally {
    await records.close();
  }
  const drawn = new Set((await readPackets(folder)).flatMap(({ id, page }) => (page ? [id] : [])));
  const pages = new Set(unread.map(({ page }) => page));
  const toDraw = captured.filter(({ attempt, page }) => pages.has(page) && drawn.has(attempt.id));
  await drawPages(folder, run, toDraw, signal);
  return captured.length;
}

async function capturesOf(folder: string, run: RunRecord): Promise<RunCapture[]> {
  const found = new Map<string, RunCapture>();
  for await (const attempt of eachObservation(folder, experimentOf(run), () => {})) {
    const file = attempt.files.packets;
    if (file === undefined || !existsSync(inFolder(folder, file))) continue;
    found.set(attempt.id, { attempt, file, page: pageOf(attempt) });
  }
  return [...found.values()];
}

interface ReadContext {
  folder: string;
  qlogs: boolean;
  signal: AbortSignal | undefined;
}

/** A damaged file must not prevent reading the remaining captures. */
async function readOne(
  { attempt: { id }, file, page }: RunCapture,
  { folder, qlogs: wantsQlogs, signal }: ReadContext,
): Promise<AttemptPackets> {
  const files = runFolder(folder);
  const options = signal === undefined ? {} : { signal };
  const about = { ...FORMAT, id, file };
  try {
    const { read, qlogs } = await withQlogs(wantsQlogs ? files.qlog : null, id, (each) =>
      readIntoTables(inFolder(folder, file), id, files, options, each),
    );
    const named = qlogs?.map((name) => path.join(path.basename(files.qlog), name));
    return { ...about, page, ...(named && { qlogs: named }), ...read };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { ...about, ...NO_PACKETS, connections: [], complaints: [error.message] };
  }
}

/** Message before captures are read, at a few thousand packets per second. */
export function readingText(captures: number): string {
  return `Reading ${countWithNoun(captures, 'capture')} ...`;
}

/** A page with more loads of a stack is too long to read, and shows nothing new. */
const MAX_LOADS = 5;

/** The page with an attempt's packets and those of other arms, relative to the run's folder. */
export function pageOf({ id, arm }: Pick<Observation, 'id' | 'arm'>): string {
  const cell = id.slice(0, id.lastIndexOf(`.${arm}.`));
  return path.join(path.basename(runFolder('').packets), `${cell}.html`);
}

/**
 * Draws captures of a run: a page for each subject and condition, with up to five attempts of each arm.
 * @throws what readCapture() throws
 */
async function drawPages(
  folder: string,
  run: RunRecord,
  captured: readonly RunCapture[],
  signal?: AbortSignal,
): Promise<void> {
  for (const [page, own] of Map.groupBy(captured, (each) => each.page)) {
    signal?.throwIfAborted();
    const shown = capturesToDraw(run, own);
    const [first] = shown;
    if (first === undefined) continue;
    const { subject, network } = first.attempt;
    const arms = run.arms.map(({ arm, label }, place) => ({ arm, label, place }));
    const captures = shown.flatMap(({ attempt, file }) => {
      const arm = arms.find((each) => each.arm === attempt.arm);
      const { tcpInfo } = attempt.files;
      const samples = tcpInfo === undefined ? null : inFolder(folder, tcpInfo);
      return arm ? [{ file: inFolder(folder, file), label: arm.label, arm, samples }] : [];
    });
    await writeFlowPage(captures, inFolder(folder, page), {
      title: `Packets: ${subject}`,
      about: `${subject}, ${network.name}: ${conditionText(network)}; run ${run.runId}`,
      more: await windowsOf(captures),
    });
  }
}

/** Captures in the order of the plan's arms; warm-ups only if there are no other loads. */
function capturesToDraw(run: RunRecord, captured: readonly RunCapture[]): RunCapture[] {
  const ok = captured.filter(({ attempt }) => attempt.outcome === 'ok');
  const measured = ok.filter(({ attempt }) => !attempt.warmup);
  const from = measured.length > 0 ? measured : ok;
  return run.arms.flatMap(({ arm }) =>
    from.filter(({ attempt }) => attempt.arm === arm).slice(0, MAX_LOADS),
  );
}
