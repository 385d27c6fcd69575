import { execFile } from 'node:child_process';
import { chmodSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Calibration } from '../../../ground/records/calibration.ts';
import { projectFolder } from '../../../ground/system/folders.mjs';
import { readMachine } from '../../../runner/machine.ts';

const NOBODY = '65534';

/** Runs calibrate-once.ts as a user without any rights. */
export async function calibrateAsOrdinaryUser(): Promise<Calibration> {
  const python = readMachine().python;
  for (const file of [projectFolder, python, realpathSync(python)]) openFoldersTo(file);
  const { stdout } = await promisify(execFile)('setpriv', [
    '--reuid',
    NOBODY,
    '--regid',
    NOBODY,
    '--clear-groups',
    process.execPath,
    path.join(import.meta.dirname, 'calibrate-once.ts'),
  ]);
  return JSON.parse(stdout);
}

/** Makes a file reachable for all users; only in the guest, whose changes are in memory. */
function openFoldersTo(file: string): void {
  for (let folder = path.dirname(file); folder !== '/'; folder = path.dirname(folder)) {
    chmodSync(folder, statSync(folder).mode | 0o005);
  }
}
