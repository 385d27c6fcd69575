import { existsSync, readFileSync } from 'node:fs';
import os from 'node:os';
import type { Check, Finding } from '../../../ground/host/check.ts';
import { noteFinding, okFinding } from './finding.ts';

// One page load at a time keeps about one core busy; other programs must leave that free.
const HIGH_LOAD_PER_CORE = 0.5;
const PRESSURE_FILE = '/proc/pressure/cpu';
const HIGH_PRESSURE_PERCENT = 10;
// Chromium with a page of many images, three servers and the runner together.
const MIN_MEMORY_MB = 1024;

/** Browser, server and link run in parallel. */
export const cores: Check = {
  name: 'processor',
  run: () => checkCores(os.availableParallelism(), os.cpus()[0]?.model.trim() ?? 'unknown model'),
};

export function checkCores(count: number, model: string): Finding {
  const found = `${coresText(count)}, ${model}`;
  if (count >= 2) return okFinding(found);
  return noteFinding(
    `${found}: browser and server compete for it`,
    'Use a machine with 2 cores or more where absolute times matter',
  );
}

export const load: Check = {
  name: 'load average',
  run: () => checkLoad(os.loadavg()[0] ?? 0, os.availableParallelism()),
};

export function checkLoad(loadAverage1m: number, coreCount: number): Finding {
  const found = `${loadAverage1m.toFixed(2)} in the last minute`;
  if (loadAverage1m <= HIGH_LOAD_PER_CORE * coreCount) return okFinding(found);
  return noteFinding(
    `${found} on ${coresText(coreCount)}: other programs are running`,
    'Stop them, or wait: durations get longer and vary more',
  );
}

/** Time that programs wait for a processor: on a virtual machine the load average lacks it. */
export const pressure: Check = {
  name: 'CPU pressure',
  run() {
    // Some kernels have the file but refuse to open it.
    return checkPressure(existsSync(PRESSURE_FILE) ? readFileSync(PRESSURE_FILE, 'utf8') : null);
  },
};

/** @param text content of the kernel's file; null: no such file */
export function checkPressure(text: string | null): Finding {
  const percent = /^some avg10=([\d.]+)/m.exec(text ?? '')?.[1];
  if (percent === undefined) {
    return okFinding(`not reported by this kernel (${PRESSURE_FILE})`);
  }
  const found = `programs waited ${percent} % of the last 10 s`;
  if (Number(percent) <= HIGH_PRESSURE_PERCENT) return okFinding(found);
  return noteFinding(found, 'Stop other programs, or wait: durations get longer and vary more');
}

export const memory: Check = {
  name: 'memory',
  run() {
    const text = readFileSync('/proc/meminfo', 'utf8');
    return checkMemory(megabytes(text, 'MemAvailable'), megabytes(text, 'MemTotal'));
  },
};

export function checkMemory(availableMb: number, totalMb: number): Finding {
  const found = `${availableMb} MB of ${totalMb} MB available`;
  if (availableMb >= MIN_MEMORY_MB) return okFinding(found);
  return noteFinding(
    `${found}, ${MIN_MEMORY_MB} MB recommended`,
    'Stop other programs: a machine that swaps measures its disk',
  );
}

function megabytes(meminfo: string, field: string): number {
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(meminfo)?.[1];
  if (kilobytes === undefined) throw new Error(`/proc/meminfo has no ${field}`);
  return Math.round(Number(kilobytes) / 1024);
}

function coresText(count: number): string {
  return `${count} ${count === 1 ? 'core' : 'cores'}`;
}
