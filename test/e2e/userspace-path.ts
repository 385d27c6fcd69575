import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MachineError } from '../../ground/system/errors.ts';
import { projectFolder } from '../../ground/system/folders.mjs';
import { MeasuringPrograms } from '../../network/bench/network/programs.ts';
import { NOTHING_ADDED, type SeededCondition } from '../../network/conditions.ts';
import type { PacketSizes, Path } from '../../network/path.ts';
import { withUserspacePath } from '../../network/userspace/backend.ts';
import { countsAtRest } from './at-rest.ts';

export const PYTHON = path.join(projectFolder, '.venv', 'bin', 'python');

export const UNCHANGED: SeededCondition = { ...NOTHING_ADDED, seed: 1 };

/** Runs a test over a path; skipped only if the machine itself reports that it cannot make one. */
export function pathTest(
  name: string,
  use: (path: Path, programs: MeasuringPrograms) => Promise<void>,
  packets: Partial<PacketSizes> = {},
): void {
  test(name, async (t: TestContext) => {
    const options = { python: PYTHON, hosts: 2, congestionControl: 'cubic', initcwnd: null };
    const run = () =>
      withUserspacePath({ ...options, ...packets }, async (made) => {
        await made.apply(UNCHANGED);
        await use(made, new MeasuringPrograms(made.agent, PYTHON));
      });
    await (surelyMakesPaths() ? run() : orSkip(t, run));
  });
}

/** CAP_NET_ADMIN and CAP_SYS_ADMIN. */
const CAPABILITIES = [12, 21];

/** Whether this machine certainly supports such a path, so that a test may not be skipped. */
function surelyMakesPaths(): boolean {
  const status = readFileSync('/proc/self/status', 'utf8');
  const held = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`);
  const isAllowed = CAPABILITIES.every((number) => (held >> BigInt(number)) % 2n === 1n);
  return isAllowed && existsSync('/dev/net/tun');
}

/** Skips a test if the machine lacks a requirement. */
export async function orSkip(t: TestContext, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    // A missing Python is the project's own defect, not the machine's.
    if (!(error instanceof MachineError) || error.message.startsWith('Python')) throw error;
    t.skip(error.message);
  }
}

/**
 * Lets packets in flight arrive; with a program as the link, until it has carried all, however late
 * on a busy machine.
 */
export async function settle(made?: Pick<Path, 'backend' | 'count'>): Promise<void> {
  if (made?.backend === 'userspace') await countsAtRest(() => made.count());
  else await sleep(300);
}
