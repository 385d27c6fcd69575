import { setTimeout as sleep } from 'node:timers/promises';
import { conditionText } from '../../experiments/condition.ts';
import {
  type AssessedCalibration,
  calibrateUntilRight,
} from '../../network/calibration/until-right.ts';
import { measurableCondition, type SeededCondition } from '../../network/conditions.ts';
import type { NamespaceProcess } from '../../network/namespace-processes.ts';
import type { Path } from '../../network/path.ts';

/** Beside two round trips, in which a connection is closed. */
const LAST_PACKETS_MS = 50;

/** Who is told what, and by whom it is stopped. */
export interface ManualOutput {
  say: (line: string) => void;
  signal: AbortSignal;
}

export function announcePath(condition: SeededCondition, { say }: ManualOutput): void {
  say(`Making the path, ${conditionText(condition)}, and measuring it ...`);
}

/**
 * Makes a path as asked from now on, and measures that it is.
 * @throws NetworkError when it is not
 */
export async function measurePath(
  path: Path,
  condition: SeededCondition,
  python: string,
  { say, signal }: ManualOutput,
): Promise<AssessedCalibration> {
  const onLate = (late: string) => say(`The machine is late: ${late} Waiting for it ...`);
  const measured = { ...measurableCondition(condition), seed: condition.seed };
  await path.apply(measured);
  const calibration = await calibrateUntilRight(path, measured, python, { onLate, signal });
  await letPing(path);
  // What measuring has sent last is no traffic of the person's.
  await sleep(2 * condition.rttMs + LAST_PACKETS_MS);
  await handOverPath(path, condition);
  return calibration;
}

/**
 * Has a path behave as asked for a person, from the beginning as for a load, but with every packet a part of it, whoever sends it.
 * @throws NetworkError when the path is broken
 */
export function handOverPath(path: Path, condition: SeededCondition): Promise<void> {
  return path.apply(condition, { everything: true });
}

/** Of ordinary users the kernel wants to know which groups may ping without further rights. */
async function letPing({ agent }: Path): Promise<void> {
  const group = process.getgid?.() ?? 0;
  const setting = `net.ipv4.ping_group_range=${group} ${group}`;
  for (const end of ['client', 'server'] as const) {
    await agent.run(end, ['sysctl', '-q', '-w', setting]);
  }
}

/** Says which processes of the user's ended with a path. */
export function endedText(ended: readonly NamespaceProcess[]): string {
  const names = ended.map(({ name, pid }) => `${name} (${pid})`);
  return `Ended what was left at the ends of the path: ${names.join(', ')}.`;
}
