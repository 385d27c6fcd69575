import path from 'node:path';
import { conditionText } from '../experiments/condition.ts';
import { inFolder } from '../ground/records/file-name.ts';
import type { Observation } from '../ground/records/observation.ts';
import type { RunRecord } from '../ground/records/run.ts';
import { runFolder } from '../ground/records/run-folder.ts';
import { writeFlowPage } from './flow/write.ts';
import { windowsOf } from './windows/captured.ts';

/** A capture of a run with what it is of. */
interface DrawnCapture {
  attempt: Observation;
  /** Relative to the run's folder. */
  file: string;
  page: string;
}

/** More loads of a stack make a page that nobody reads, and mean as much. */
const MOST_LOADS = 5;

/** The page on which an attempt's packets are drawn beside those of other arms, relative to the run's folder. */
export function pageOf({ id, arm }: Pick<Observation, 'id' | 'arm'>): string {
  const cell = id.slice(0, id.lastIndexOf(`.${arm}.`));
  return path.join(path.basename(runFolder('').packets), `${cell}.html`);
}

/**
 * Draws captures of a run: a page for each subject and condition, with up to five attempts of each arm.
 * @throws what readCapture() throws
 */
export async function drawPages(
  folder: string,
  run: RunRecord,
  captured: readonly DrawnCapture[],
  signal?: AbortSignal,
): Promise<void> {
  for (const [page, own] of Map.groupBy(captured, (each) => each.page)) {
    signal?.throwIfAborted();
    const shown = shownOf(run, own);
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
      title: `What went over the wire: ${subject}`,
      about: `${subject}, ${network.name}: ${conditionText(network)}; run ${run.runId}`,
      more: await windowsOf(captures),
    });
  }
}

/** In the order of the plan's arms; warm-ups only where there is nothing else. */
function shownOf(run: RunRecord, captured: readonly DrawnCapture[]): DrawnCapture[] {
  const ok = captured.filter(({ attempt }) => attempt.outcome === 'ok');
  const measured = ok.filter(({ attempt }) => !attempt.warmup);
  const from = measured.length > 0 ? measured : ok;
  return run.arms.flatMap(({ arm }) =>
    from.filter(({ attempt }) => attempt.arm === arm).slice(0, MOST_LOADS),
  );
}
