import type { Runtime } from '../ground/runtimes/runtime.ts';
import { runtimeAt } from '../ground/runtimes/runtime-at.ts';
import { type Stack, splitVersion } from '../ground/stack.ts';
import { UsageError } from '../ground/system/exit-status.ts';

const LONGEST_VERSION = 40;

/**
 * The stack of a name, which may end with a version of its library: `NAME@1.2.3`; undefined: none has that name.
 * @throws UsageError for a version that is not valid, or of a stack whose version is fixed
 */
export function stackOfName(name: string, known: readonly Stack[]): Stack | undefined {
  const [unversioned, version] = splitVersion(name);
  const found = known.find(({ stack }) => stack === unversioned);
  if (!found || version === null) return found;
  if (!found.runtime?.versions) {
    const able = known.flatMap(({ stack, runtime }) => (runtime?.versions ? [stack] : []));
    throw new UsageError(
      `${name}: ${unversioned} has the version that the project installs. Versions can be chosen of ${able.join(', ') || 'no stack here'}.`,
    );
  }
  if (version.length > LONGEST_VERSION || !/^\d[\w.+-]*$/.test(version)) {
    throw new UsageError(
      `${name}: expected a version of ${found.runtime.versions.library} behind @, for example ${unversioned}@1.2.3, got ${JSON.stringify(version)}.`,
    );
  }
  return atVersion(found, found.runtime, version);
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
