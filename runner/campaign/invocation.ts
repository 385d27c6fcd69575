import { createHash } from 'node:crypto';
import os from 'node:os';
import { FORMAT } from '../../ground/records/format.ts';
import type { InvocationRecord } from '../../ground/records/invocation.ts';
import type { HostFacts } from '../../ground/records/run.ts';
import { readIfThere } from '../../ground/system/read-if-there.ts';

/** What an invocation is described with, beside its time and machine. */
export type InvocationFacts = Pick<
  InvocationRecord,
  'command' | 'part' | 'host' | 'versions' | 'backend' | 'differences'
>;

/** The record of an invocation that begins now on this machine. */
export function invocationOf(facts: InvocationFacts, now = new Date()): InvocationRecord {
  const startedAt = now.toISOString();
  const machine = machineName();
  return {
    ...FORMAT,
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
  const machineId = readIfThere('/etc/machine-id')?.trim() ?? '';
  const id = createHash('sha256').update(machineId + os.hostname());
  const readable = os.hostname().replaceAll(/[^A-Za-z0-9.-]/g, '-');
  return `${readable || 'machine'}-${id.digest('hex').slice(0, 6)}`;
}

/** What of a machine has to stay as it is for loads to be compared with each other. */
export function sameMachineFacts({ os: system, kernel, cpu, cores, memoryMb }: HostFacts) {
  return { os: system, kernel, cpu, cores, memoryMb };
}
