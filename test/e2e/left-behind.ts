import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryParent } from '../../ground/system/temporary-folder.ts';
import { UPLINK_DEVICE } from '../../network/uplink.ts';
import type { Command } from './command.ts';

/** A run has left no process behind; started ones may take a moment to go. */
export async function assertNoProcessLeft(command: Command): Promise<void> {
  for (let wait = 0; wait < 300 && command.leftProcesses().length > 0; wait++) await sleep(100);
  assert.deepEqual(command.leftProcesses(), []);
}

/** Neither processes nor folders. */
export async function assertNothingLeft(command: Command): Promise<void> {
  await assertNoProcessLeft(command);
  assert.deepEqual(temporaryFoldersOf(command.child.pid), []);
}

/**
 * The machine's device is gone, of which only one can exist; the kernel removes it some time after
 * the last process of its run has ended.
 */
export async function assertNoUplinkLeft(): Promise<void> {
  const isThere = () => UPLINK_DEVICE in os.networkInterfaces();
  for (let wait = 0; wait < 300 && isThere(); wait++) await sleep(100);
  assert.ok(!isThere(), `${UPLINK_DEVICE} is still there`);
}

/** Temporary folders of a process of the benchmark. */
export function temporaryFoldersOf(pid: number | undefined): string[] {
  return readdirSync(temporaryParent()).filter((name) => name.includes(`-${pid}-`));
}
