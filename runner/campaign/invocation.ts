import { createHash } from 'node:crypto';
import os from 'node:os';
import { FORMAT } from '../../ground/records/format.ts';
import type { InvocationRecord } from '../../ground/records/invocation.ts';
import type { HostFacts, RunRecord } from '../../ground/records/run.ts';
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
function sameMachineFacts({ os: system, kernel, cpu, cores, memoryMb }: HostFacts) {
  return { os: system, kernel, cpu, cores, memoryMb };
}

/** What is not as it was when a run was begun, as sentences: loads before and after it cannot be compared. */
export function changesSince(
  run: Pick<RunRecord, 'versions' | 'host'>,
  invocations: readonly Pick<InvocationRecord, 'machine'>[],
  now: Pick<InvocationFacts, 'versions' | 'host'>,
): string[] {
  const [first] = invocations;
  const machine = machineName();
  const other =
    first && first.machine !== machine
      ? [`The machine is ${machine}; it was ${first.machine}.`]
      : [];
  return [
    ...other,
    ...differing(machineFacts(run.host), machineFacts(now.host)),
    ...userChange(run.host, now.host),
    ...differing(run.versions, now.versions),
  ];
}

/** A machine that nobody knows is none that attempts could be added on. */
function machineFacts(host: RunRecord['host']): Readonly<Record<string, unknown>> {
  return host === null ? {} : sameMachineFacts(host);
}

/** Programs without rights, and Chromium in its sandbox, may take other times. */
function userChange(before: RunRecord['host'], now: RunRecord['host']): string[] {
  const [was, is] = [before?.programsUid, now?.programsUid];
  if (was === undefined || is === undefined || was === is) return [];
  return [`Browser, servers and clients run as uid ${is}; it was ${was}.`];
}

/** Names with another value than before, one sentence for each. */
export function differing(
  before: Readonly<Record<string, unknown>>,
  now: Readonly<Record<string, unknown>>,
): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return names
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]))
    .map((name) => `${name} is ${valueText(now[name])}; it was ${valueText(before[name])}.`);
}

function valueText(value: unknown): string {
  if (value === undefined) return 'not there';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
