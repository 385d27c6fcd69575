import { calibrate } from '../../../network/calibration/calibrate.ts';
import { withNetemPath } from '../../../network/netem/backend.ts';
import { readMachine } from '../../../runner/machine.ts';
import { DELAYED, PATH } from './settings.ts';

// Prints the calibration of a path of 20 ms with netem.
const { python } = readMachine();
const calibration = await withNetemPath({ ...PATH, python }, async (path) => {
  await path.apply(DELAYED);
  return calibrate(path, DELAYED, python);
});
console.log(JSON.stringify(calibration));
