import os from 'node:os';
import type { HostFacts } from '../ground/records/run.ts';
import { readIfThere } from '../ground/system/read-if-there.ts';
import { dropRights, userChoice } from '../ground/system/unprivileged-user.ts';

/**
 * What of this machine may matter to a reader of the results.
 * @param programs of browser, servers and clients
 */
export function hostFacts(programs: readonly string[]): HostFacts {
  return {
    os: /^PRETTY_NAME="?([^"\n]+)/m.exec(readIfThere('/etc/os-release') ?? '')?.[1] ?? os.type(),
    kernel: os.release(),
    cpu: os.cpus()[0]?.model.trim() ?? 'unknown',
    cores: os.availableParallelism(),
    memoryMb: Math.round(os.totalmem() / 2 ** 20),
    loadAverage1m: os.loadavg()[0] ?? 0,
    programsUid: programsUid(programs),
  };
}

/** As whom they run; 0 where one of them has to be root. */
function programsUid(programs: readonly string[]): number {
  const own = process.getuid?.() ?? 0;
  const areDropped = programs.map((program) => dropRights(program).length > 0);
  return areDropped.includes(false) ? own : (userChoice().user?.uid ?? own);
}
