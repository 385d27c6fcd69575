import type { Runtime } from '../ground/runtimes/runtime.ts';
import { runtimeAt } from '../ground/runtimes/runtime-at.ts';
import { type Stack, splitVersion } from '../ground/stack.ts';
import { UsageError } from '../ground/system/exit-status.ts';

const LONGEST_VERSION = 40;

/**
 * The stack of a name, which may end with a version of its library: `NAME@1.2.3`; undefined: no such stack, or the version is not
 * valid.
 */
export function stackOfName(name: string, known: readonly Stack[]): Stack | undefined {
  const { found, version, problem } = readName(name, known);
  if (problem !== null) return undefined;
  return found?.runtime && version !== null ? atVersion(found, found.runtime, version) : found;
}

/** @throws UsageError for a version that is not valid, or of a stack whose version is fixed */
export function assertVersion(name: string, known: readonly Stack[]): void {
  const { problem } = readName(name, known);
  if (problem !== null) throw new UsageError(problem);
}

interface ReadName {
  /** The stack without the version. */
  found: Stack | undefined;
  version: string | null;
  problem: string | null;
}

function readName(name: string, known: readonly Stack[]): ReadName {
  const [unversioned, version] = splitVersion(name);
  const found = known.find(({ stack }) => stack === unversioned);
  const read = { found, version, problem: null };
  if (!found || version === null) return read;
  const { versions } = found.runtime ?? {};
  if (!versions) {
    const able = known.flatMap(({ stack, runtime }) => (runtime?.versions ? [stack] : []));
    return {
      ...read,
      problem: `${name}: ${unversioned} has the version that the project installs. Versions can be chosen of ${able.join(', ') || 'no stack here'}.`,
    };
  }
  if (version.length <= LONGEST_VERSION && /^\d[\w.+]*$/.test(version)) return read;
  return {
    ...read,
    problem: `${name}: expected a version of ${versions.library} behind @, for example ${unversioned}@1.2.3, got ${JSON.stringify(version)}.`,
  };
}

function atVersion(stack: Stack, runtime: Runtime, version: string): Stack {
  const { versions } = runtime;
  if (!versions) throw new Error(`${stack.stack} has one version`);
  const { tcpTwin } = stack;
  return {
    ...stack,
    stack: `${stack.stack}@${version}`,
    label: `${stack.label}, ${versions.library} ${version}`,
    note: `${stack.note} With ${versions.library} ${version}, to which the settings of the installed version may not apply.`,
    byDefault: false,
    runtime: runtimeAt(runtime, versions, version),
    ...(tcpTwin?.runtime === runtime && { tcpTwin: atVersion(tcpTwin, runtime, version) }),
  };
}
