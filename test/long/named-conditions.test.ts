import { test } from 'node:test';
import { calibrateUntilRight } from '../../network/calibration/until-right.ts';
import { NAMED_CONDITIONS } from '../../network/conditions.ts';
import { withNetwork } from '../../network/network.ts';
import { readMachine } from '../../runner/machine.ts';

const { python } = readMachine();
const PATH = {
  python,
  backend: 'auto',
  hosts: 1,
  congestionControl: 'cubic',
  initcwnd: null,
} as const;

test('makes every named condition, also the slow and far ones', () =>
  withNetwork(PATH, async (path) => {
    for (const named of NAMED_CONDITIONS) {
      const requested = { ...named, seed: 1 };
      await path.apply(requested);
      // Lateness of the machine is not the subject here.
      await calibrateUntilRight(path, requested, python, { patienceMs: 0 });
    }
  }));
