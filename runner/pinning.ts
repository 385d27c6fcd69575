import { readFileSync } from 'node:fs';
import { MachineError } from '../ground/system/errors.ts';
import { readIfThere } from '../ground/system/read-if-there.ts';

/** A core by the kernel's number: hyper-threads of a physical core are separate cores. */
export interface Core {
  number: number;
  /** Shared by the hyper-threads of a physical core. */
  physical: string;
}

/** Cores of each process group; groups share no physical core. */
interface Pinning {
  browserCores: number[];
  serverCores: number[];
  /** For the user-space link, whose real-time priority would stop any other process on its core. */
  linkCores: number[];
}

/**
 * One for the servers (one works at a time, mostly on one thread), one for the link, and two for the browser, whose renderer
 * and network service are separate processes. With the browser on one core of two and the server on the other, the
 * slides of `shower-deck` at 30 ms took about a quarter longer over TCP and almost a half over QUIC than with both cores
 * shared: a single core does not only slow a page down, it changes the comparison.
 */
const MIN_PHYSICAL_CORES = 4;

/**
 * Gives half of the physical cores to the browser, a quarter each to servers and link, and the remainder to the browser.
 * null: too few physical cores.
 */
export function planPinning(cores: readonly Core[]): Pinning | null {
  const physical = [...Map.groupBy(cores, (core) => core.physical).values()];
  if (physical.length < MIN_PHYSICAL_CORES) return null;
  const quarter = Math.floor(physical.length / 4);
  const numbers = (groups: Core[][]) =>
    groups
      .flat()
      .map(({ number }) => number)
      .sort((a, b) => a - b);
  return {
    browserCores: numbers(physical.slice(0, -2 * quarter)),
    serverCores: numbers(physical.slice(-2 * quarter, -quarter)),
    linkCores: numbers(physical.slice(-quarter)),
  };
}

/**
 * The pinning for the cores that this process may use.
 * @throws MachineError for too few cores
 */
export function readPinning(cores: readonly Core[] = readCores()): Pinning {
  const pinning = planPinning(cores);
  if (pinning) return pinning;
  const physicalCount = new Set(cores.map(({ physical }) => physical)).size;
  throw new MachineError(
    `--pin needs ${MIN_PHYSICAL_CORES} physical cores: two for the browser, one for the servers, one for the network's ` +
      `link. This process may use ${physicalCount} (${cores.length} with hyper-threads).\n` +
      'What to do: omit --pin, which is better than a browser on a single core, or give the machine or container more cores.',
  );
}

/** Command prefix that restricts a process and its children to these cores (util-linux). */
export function onCores(cores: readonly number[]): string[] {
  return ['taskset', '--cpu-list', cores.join()];
}

/** Cores that this process may use: a container or a cpuset may allow fewer than the machine has. */
export function readCores(): Core[] {
  const status = readFileSync('/proc/self/status', 'utf8');
  const allowed = /^Cpus_allowed_list:\s+(\S+)$/m.exec(status)?.[1];
  if (allowed === undefined) throw new Error('/proc/self/status has no Cpus_allowed_list');
  return parseCoreList(allowed).map((number) => ({ number, physical: physicalCoreOf(number) }));
}

/**
 * Parses a core list of the kernel: `0-2,7` is 0, 1, 2, 7.
 * @throws Error for any other text
 */
export function parseCoreList(text: string): number[] {
  return text
    .trim()
    .split(',')
    .flatMap((range) => {
      const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(range) ?? [];
      if (first === undefined) throw new Error(`not a list of cores: ${text}`);
      const length = Number(last) - Number(first) + 1;
      return Array.from({ length }, (_, index) => Number(first) + index);
    });
}

function physicalCoreOf(number: number): string {
  const file = `/sys/devices/system/cpu/cpu${number}/topology/thread_siblings_list`;
  // Unknown in some containers: each core counts as a physical one.
  return readIfThere(file)?.trim() ?? String(number);
}
