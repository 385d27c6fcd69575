import { readFileSync } from 'node:fs';
import os from 'node:os';
import type { HostFacts } from '../records/run.ts';

/** What of this machine may matter to a reader of the results. */
export function hostFacts(): HostFacts {
  return {
    os: /^PRETTY_NAME="?([^"\n]+)/m.exec(read('/etc/os-release') ?? '')?.[1] ?? os.type(),
    kernel: os.release(),
    cpu: os.cpus()[0]?.model.trim() ?? 'unknown',
    cores: os.availableParallelism(),
    memoryMb: Math.round(os.totalmem() / 2 ** 20),
    loadAverage1m: os.loadavg()[0] ?? 0,
  };
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
