import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isPackage } from '../ground/system/folders.mjs';
import { complain } from '../ground/system/printed.mjs';
import { inMade } from './folders.mjs';
import { SetupError } from './setup-error.mjs';

const LOOK_EVERY_MS = 300;
/** Exit status of flock if another process has the lock. */
const TAKEN = 1;

/** Contains the lock; versions of an installed package have one, as they share the cache of sites. */
const FOLDER = isPackage ? inMade('..') : inMade('.setup');

let file = null;

/**
 * Waits for other set-ups of this folder, or of other versions of an installed package, and excludes them until this process unlocks or ends. The lock is on the open file, so the
 * kernel releases it even after a kill.
 */
export async function lock() {
  if (file !== null) return;
  mkdirSync(FOLDER, { recursive: true });
  // Private, so that other users cannot hold it.
  file = openSync(path.join(FOLDER, 'lock'), 'a', 0o600);
  for (let tries = 0; !isLocked(file); tries++) {
    if (tries === 0) complain('set-up: waiting for another set-up of this folder ...');
    await sleep(LOOK_EVERY_MS);
  }
}

export function unlock() {
  if (file !== null) closeSync(file);
  file = null;
}

function isLocked(descriptor) {
  const { status, error, stderr } = spawnSync('flock', ['-n', '3'], {
    stdio: ['ignore', 'ignore', 'pipe', descriptor],
    encoding: 'utf8',
  });
  if (status === 0) return true;
  if (status === TAKEN && stderr === '') return false;
  throw new SetupError(
    `The folder ${FOLDER} cannot be locked: ${error?.message ?? stderr.trim()}. The program flock is needed, of the package util-linux, and a file system that has locks.`,
  );
}
