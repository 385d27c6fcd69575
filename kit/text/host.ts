import type { HostFacts } from '../../ground/records/run.ts';
import { countText, countWithNoun } from './number.ts';

export const NOT_KNOWN = 'not known';

/** Facts of a machine at the start of a run; null: unknown. */
export function hostTexts(host: HostFacts | null): [name: string, text: string][] {
  return [
    ['System', host?.os ?? NOT_KNOWN],
    ['Kernel', host?.kernel ?? NOT_KNOWN],
    ['Processor', host ? `${host.cpu}, ${countWithNoun(host.cores, 'core')}` : NOT_KNOWN],
    ['Memory', host ? `${countText(host.memoryMb)} MB` : NOT_KNOWN],
    ...(host?.programsUid === undefined
      ? []
      : [['Browser, servers and clients', userText(host.programsUid)] as [string, string]]),
    ['Load average (1 minute)', host ? String(host.loadAverage1m) : NOT_KNOWN],
  ];
}

function userText(uid: number): string {
  return uid === 0 ? 'as root (uid 0)' : `as uid ${uid}`;
}
