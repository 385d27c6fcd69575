import { createHash } from 'node:crypto';
import os from 'node:os';
import { FORMAT } from '../../ground/records/format.ts';
import type { InvocationRecord } from '../../ground/records/invocation.ts';
import type { HostFacts, RunRecord } from '../../ground/records/run.ts';
import { readIfThere } from '../../ground/system/read-if-there.ts';
import { versionTexts } from '../../kit/text/versions.ts';

/** Facts of an invocation, without its time and machine. */
export type InvocationFacts = Pick<
  InvocationRecord,
  'command' | 'part' | 'host' | 'versions' | 'revision' | 'backend' | 'differences'
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
 * A stable, unique name of this machine: host names and machine ids are often the same on machines made from one image.
 */
export function machineName(): string {
  const machineId = readIfThere('/etc/machine-id')?.trim() ?? '';
  const id = createHash('sha256').update(machineId + os.hostname());
  const readable = os.hostname().replaceAll(/[^A-Za-z0-9.-]/g, '-');
  return `${readable || 'machine'}-${id.digest('hex').slice(0, 6)}`;
}

/** Facts of a machine that must not change for loads to be comparable. */
function sameMachineFacts({ os: system, kernel, cpu, cores, memoryMb }: HostFacts) {
  return { os: system, kernel, cpu, cores, memoryMb };
}

/** Changes since the run began, as sentences: loads before and after them are not comparable. */
export function changesSince(
  run: Pick<RunRecord, 'versions' | 'revision' | 'host'>,
  invocations: readonly Pick<InvocationRecord, 'machine'>[],
  now: Pick<InvocationFacts, 'versions' | 'revision' | 'host'>,
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
    ...differing(versionTexts(run), versionTexts(now)),
  ];
}

/** Attempts are not added on an unknown machine. */
function machineFacts(host: RunRecord['host']): Readonly<Record<string, unknown>> {
  return host === null ? {} : sameMachineFacts(host);
}

/** Programs without root's rights, and Chromium in its sandbox, may have other timings. */
function userChange(before: RunRecord['host'], now: RunRecord['host']): string[] {
  const [was, is] = [before?.programsUid, now?.programsUid];
  if (was === undefined || is === undefined || was === is) return [];
  return [`Browser, servers and clients run as uid ${is}; it was ${was}.`];
}

/** One sentence for each name whose value has changed. */
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
