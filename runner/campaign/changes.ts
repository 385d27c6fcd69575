import type { InvocationRecord } from '../../ground/records/invocation.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import { type InvocationFacts, machineName, sameMachineFacts } from './invocation.ts';

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
