import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { RECORD_FORMAT_VERSION } from '../../records/page-load.ts';
import type { HostFacts } from '../../records/run.ts';
import type { SittingRecord } from '../../records/sitting.ts';

/** What a sitting is described with, beside its time and machine. */
export type SittingFacts = Pick<
  SittingRecord,
  'command' | 'part' | 'host' | 'versions' | 'backend' | 'differences'
>;

/** The record of a sitting that begins now on this machine. */
export function sittingOf(facts: SittingFacts, now = new Date()): SittingRecord {
  const startedAt = now.toISOString();
  const machine = machineName();
  return {
    formatVersion: RECORD_FORMAT_VERSION,
    id: `${startedAt.replaceAll(/[:.]/g, '-')}-${machine}-${process.pid}`,
    machine,
    startedAt,
    ...facts,
  };
}

/**
 * A name for this machine that stays the same and that no other one has: host names alone are often the same on machines made
 * from one image, and so are machine ids.
 */
export function machineName(): string {
  const id = createHash('sha256').update(machineId() + os.hostname());
  const readable = os.hostname().replaceAll(/[^A-Za-z0-9.-]/g, '-');
  return `${readable || 'machine'}-${id.digest('hex').slice(0, 6)}`;
}

function machineId(): string {
  try {
    return readFileSync('/etc/machine-id', 'utf8').trim();
  } catch {
    return '';
  }
}

/** What of a machine has to stay as it is for loads to be compared with each other. */
export function sameMachineFacts({ os: system, kernel, cpu, cores, memoryMb }: HostFacts) {
  return { os: system, kernel, cpu, cores, memoryMb };
}
