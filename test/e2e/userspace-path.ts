import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { MeasuringPrograms } from '../../bench/network/programs.ts';
import { type NetworkCondition, NOTHING_ADDED } from '../../network/conditions.ts';
import type { PacketSizes, Path } from '../../network/path.ts';
import { withUserspacePath } from '../../network/userspace/backend.ts';
import { MachineError } from '../../system/errors.ts';
import { projectFolder } from '../../system/project-folder.ts';

export const PYTHON = path.join(projectFolder, '.venv', 'bin', 'python');

export const UNCHANGED: NetworkCondition = { ...NOTHING_ADDED, seed: 1 };

/** Runs a test over a path; skipped only where the machine itself says that it cannot make one. */
export function pathTest(
  name: string,
  use: (path: Path, programs: MeasuringPrograms) => Promise<void>,
  packets: Partial<PacketSizes> = {},
): void {
  test(name, async (t: TestContext) => {
    const options = { python: PYTHON, hosts: 2, congestionControl: 'cubic', initcwnd: null };
    await orSkip(t, () =>
      withUserspacePath({ ...options, ...packets }, async (made) => {
        await made.apply(UNCHANGED);
        await use(made, new MeasuringPrograms(made.agent, PYTHON));
      }),
    );
  });
}

/** Skips a test where the machine lacks what it needs. */
export async function orSkip(t: TestContext, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    // Python missing is the project's own lack, not the machine's.
    if (!(error instanceof MachineError) || error.message.startsWith('Python')) throw error;
    t.skip(error.message);
  }
}

/** Lets packets on their way arrive. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 300));
}
