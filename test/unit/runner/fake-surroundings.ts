import type { JudgedCalibration } from '../../../network/calibration/until-right.ts';
import type { Path } from '../../../network/path.ts';
import type { Here, PreparedRun } from '../../../runner/campaign/prepare.ts';
import type { Surroundings } from '../../../runner/surroundings.ts';
import { fixtureRun } from '../report/fixture-run.ts';

const { run, calibrations } = fixtureRun({ repetitions: 1 });

/** A machine on which nothing is there: nothing is started on it. */
export async function fakeHere(): Promise<Here> {
  const machine = { chromium: '/none/chromium', python: '/none/python', bun: '/none/bun' };
  return { machine, host: run.host, versions: run.versions };
}

/** Surroundings without a path, servers or programs, for an experiment that asks for none. */
export function fakeSurroundings({ plan }: PreparedRun): Surroundings {
  const path = {
    backend: 'userspace',
    agent: { enter: () => [] },
    apply: async () => {},
  } as unknown as Path;
  return {
    withPath: (_backend, use) => use(path),
    readEnds: async () => ({ ...run.fairness, readings: {}, pairs: [], stacks: {} }),
    async calibrate(_path, { name, rttMs }, { onMeasured }) {
      const [calibration] = calibrations;
      if (!calibration) throw new Error('a made-up run without calibrations');
      const { subject: _, ...measured } = calibration;
      const asked = { ...measured.asked, condition: name, rttMs };
      const judged = { ...measured, asked, late: null } as JudgedCalibration;
      await onMeasured?.(judged);
      return judged;
    },
    withServers: (_subject, _where, use) =>
      use(
        plan.stacks.map((stack, index) => ({
          stack,
          origins: {},
          details: {},
          pid: index,
          spkiPins: [],
          assertAlive() {},
        })),
      ),
  };
}
