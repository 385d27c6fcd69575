import os from 'node:os';
import type { HostFacts } from '../records/run.ts';
import { readIfThere } from '../system/read-if-there.ts';

/** What of this machine may matter to a reader of the results. */
export function hostFacts(): HostFacts {
  return {
    os: /^PRETTY_NAME="?([^"\n]+)/m.exec(readIfThere('/etc/os-release') ?? '')?.[1] ?? os.type(),
    kernel: os.release(),
    cpu: os.cpus()[0]?.model.trim() ?? 'unknown',
    cores: os.availableParallelism(),
    memoryMb: Math.round(os.totalmem() / 2 ** 20),
    loadAverage1m: os.loadavg()[0] ?? 0,
  };
}
