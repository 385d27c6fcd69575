import { setTimeout as sleep } from 'node:timers/promises';
import { conditionText } from '../../experiments/condition.ts';
import {
  type AssessedCalibration,
  calibrateUntilRight,
} from '../../network/calibration/until-right.ts';
import { measurableCondition, type SeededCondition } from '../../network/conditions.ts';
import type { NamespaceProcess } from '../../network/namespace-processes.ts';
import type { Path } from '../../network/path.ts';

/** Time for the end of a connection, in addition to two round trips. */
const LAST_PACKETS_MS = 50;

/** Receives messages, and stops the command. */
export interface ManualOutput {
  say: (line: string) => void;
  signal: AbortSignal;
}

export function announcePath(condition: SeededCondition, { say }: ManualOutput): void {
  say(`Creating and measuring the path, ${conditionText(condition)} ...`);
}

/**
 * Creates a path and verifies it by measurement.
 * @throws NetworkError if the path does not match the condition
 */
export async function measurePath(
  path: Path,
  condition: SeededCondition,
  python: string,
  { say, signal }: ManualOutput,
): Promise<AssessedCalibration> {
  const onLate = (late: string) => say(`The machine is late: ${late} Waiting ...`);
  const measured = { ...measurableCondition(condition), seed: condition.seed };
  await path.apply(measured);
  const calibration = await calibrateUntilRight(path, measured, python, { onLate, signal });
  await letPing(path);
  // The last packets of the calibration must not count as the user's traffic.
  await sleep(2 * condition.rttMs + LAST_PACKETS_MS);
  await handOverPath(path, condition);
  return calibration;
}

/**
 * Applies a condition for manual use: from its start, as for a load, and to every packet.
 * @throws NetworkError if the path is broken
 */
export function handOverPath(path: Path, condition: SeededCondition): Promise<void> {
  return path.apply(condition, { everything: true });
}

/** The kernel lets ordinary users ping only if their group is listed. */
async function letPing({ agent }: Path): Promise<void> {
  const group = process.getgid?.() ?? 0;
  const setting = `net.ipv4.ping_group_range=${group} ${group}`;
  for (const end of ['client', 'server'] as const) {
    await agent.run(end, ['sysctl', '-q', '-w', setting]);
  }
}

/** Names the user's processes that ended with a path. */
export function endedText(ended: readonly NamespaceProcess[]): string {
  const names = ended.map(({ name, pid }) => `${name} (${pid})`);
  return `Ended the processes that still used the path: ${names.join(', ')}.`;
}
