import { existsSync } from 'node:fs';
import path from 'node:path';
import { listSites } from '../../../cache/catalogue.ts';
import { machineFile } from '../../machine.ts';
import { projectFolder } from '../../stacks.ts';
import type { Check, Finding } from '../check.ts';
import { SET_UP } from '../set-up-files.ts';

/** What set-up makes beside programs: certificates and pages. */
export const setUp: Check = {
  name: 'set-up',
  run: () =>
    judgeSetUp({
      hasRun: existsSync(machineFile),
      hasAuthority: existsSync(path.join(projectFolder, 'certs', 'generated', 'ca.pem')),
      sites: countSites(),
    }),
};

function countSites(): number {
  try {
    return listSites().length;
  } catch {
    return 0;
  }
}

/** What is there of it. */
export interface SetUpState {
  hasRun: boolean;
  hasAuthority: boolean;
  sites: number;
}

export function judgeSetUp({ hasRun, hasAuthority, sites }: SetUpState): Finding {
  const missing = [
    ...(hasRun ? [] : ['the programs of this machine']),
    ...(hasAuthority ? [] : ['certificates']),
    ...(sites > 0 ? [] : ['the site cache']),
  ];
  if (missing.length === 0) return { status: 'ok', found: `complete, ${sites} sites in the cache` };
  return {
    status: 'lack',
    found: `has not run completely: ${missing.join(', ')} missing`,
    remedy: `${SET_UP} (npm run benchmark does so by itself)`,
  };
}
