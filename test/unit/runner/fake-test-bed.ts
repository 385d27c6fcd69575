import { NetworkError, ServerError } from '../../../ground/system/errors.ts';
import type { AssessedCalibration } from '../../../network/calibration/until-right.ts';
import type { Path } from '../../../network/path.ts';
import type { MachineState, PreparedRun } from '../../../runner/campaign/prepare.ts';
import type { Machine } from '../../../runner/machine.ts';
import type { TestBed } from '../../../runner/test-bed.ts';
import { fixtureRun } from '../report/fixture-run.ts';

const { run, calibrations } = fixtureRun({ repetitions: 1 });

/** A machine without anything: nothing is started on it. */
export async function fakeMachineState(): Promise<MachineState> {
  const machine: Machine = {
    chromium: '/none/chromium',
    bun: '/none/bun',
    python: '/none/python',
  };
  return { machine, host: run.host, versions: run.versions, revision: run.revision };
}

/** Fault of a server: it ended, it did not start, or it never answers; null: no fault. */
export type ServerFault = 'ended' | 'absent' | 'mute' | null;

/** A test bed without a path, servers or programs, for an experiment that needs none. */
export const fakeTestBed = fakeTestBedWith({});

/** The same, in which servers or networks are broken. */
export function fakeTestBedWith({
  ailmentOf = () => null,
  isBrokenNetwork = () => false,
  setTcp = async () => {},
  assertAnswers,
}: {
  ailmentOf?: (arm: string, subject: string) => ServerFault;
  isBrokenNetwork?: (name: string) => boolean;
  setTcp?: Path['setTcp'];
  /** Result of the check of an existing server. */
  assertAnswers?: () => Promise<void>;
}) {
  const path = {
    backend: 'userspace',
    agent: { enter: () => [] },
    apply: async () => {},
    setTcp,
  } as unknown as Path;
  return (_: PreparedRun): TestBed => ({
    withPath: (_backend, use) => use(path),
    readEnds: async () => ({ ...run.fairness, readings: {}, pairs: [], stacks: {} }),
    async calibrate(_path, { name, rttMs }, { onMeasured }) {
      if (isBrokenNetwork(name)) throw new NetworkError(`No path is ${name}.`);
      const [calibration] = calibrations;
      if (!calibration) throw new Error('a made-up run without calibrations');
      const { subject: _, ...measured } = calibration;
      const requested = { ...measured.requested, condition: name, rttMs };
      const judged = { ...measured, requested, late: null } as AssessedCalibration;
      await onMeasured?.(judged);
      return judged;
    },
    withServers({ planned: { subject } }, { stacks }, use) {
      const ailing = (stack: string) => ailmentOf(stack, subject);
      const up = stacks.filter(({ stack }) => ailing(stack) !== 'absent');
      const failed = stacks.filter((each) => !up.includes(each));
      return use(
        up.map((stack, index) => ({
          stack,
          origins: ailing(stack.stack) === 'mute' ? {} : { [subject]: '127.0.0.1:443' },
          details: {},
          pid: index,
          spkiPins: [],
          follow: () => () => {},
          ...(assertAnswers && { assertAnswers }),
          assertAlive() {
            if (ailing(stack.stack) === 'ended') throw serverError(stack.stack, 'ended');
          },
        })),
        new Map(failed.map(({ stack }) => [stack, serverError(stack, 'did not start')])),
      );
    },
  });
}

function serverError(stack: string, how: string): ServerError {
  return new ServerError(`The ${stack} server ${how}.`, stack);
}
