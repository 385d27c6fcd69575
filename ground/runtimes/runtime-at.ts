import path from 'node:path';
import { versionsNear } from '../options/nearest-version.ts';
import type { RunCommand, Runtime, RuntimeVersions } from './runtime.ts';

/** By name, so that all stacks of a version share one runtime. */
const runtimes = new Map<string, Runtime>();

const NEAREST = 5;

/** A runtime with another version of its library, in a folder of its own. */
export function runtimeAt(runtime: Runtime, versions: RuntimeVersions, version: string): Runtime {
  const name = `${runtime.name}@${version}`;
  const found = runtimes.get(name);
  if (found) return found;
  const { versions: _, ...rest } = runtime;
  const folder = path.join('.setup', 'stacks', name);
  const at = versions.at(version, folder);
  const { program, installs, versionArgs = runtime.versionArgs } = at;
  const library = `${versions.library} ${version}`;
  const made: Runtime = {
    ...rest,
    name,
    title: `${runtime.title}, ${library}`,
    program,
    ...(installs && { installs }),
    versionArgs,
    onDemand: true,
    install: {
      title: `installing ${library} for its stacks`,
      madeFrom: at.madeFrom,
      needs: at.needs,
      async run(command) {
        const problem = await install({ ...at, versionArgs }, { command, versions, version });
        // A program that does not work must not pass for an installed one.
        if (problem !== null) await command('rm', ['-rf', folder]);
        return problem && `${library} ${problem}`;
      },
    },
  };
  runtimes.set(name, made);
  return made;
}

interface Wanted {
  command: RunCommand;
  versions: RuntimeVersions;
  version: string;
}

/** Installs a version; returns the problem as a predicate, or null. */
async function install(
  at: ReturnType<RuntimeVersions['at']> & Pick<Runtime, 'versionArgs'>,
  wanted: Wanted,
): Promise<string | null> {
  const { needs, fetch, build, known } = at;
  const { command, version } = wanted;
  const { ok, output } = await command(needs.program, needs.versionArg);
  if (!ok || !(needs.isEnough?.(output) ?? true)) {
    return `needs ${needs.program}, and this machine has ${ok ? output : 'none'}. ${needs.remedy}.`;
  }
  const unfetched = await fetch(command);
  if (unfetched !== null) {
    const near = versionsNear(version, await known(command), NEAREST);
    const hint =
      near.length === 0 ? '' : ` The registry's versions nearest to it: ${near.join(', ')}.`;
    return `could not be fetched.${hint}\n${unfetched}`;
  }
  const problem = (await build?.(command)) ?? (await whyOther(at, wanted));
  return problem && `is not able to run these stacks:\n${problem}`;
}

/** Why the installed program is not that version; null: it is. */
async function whyOther(
  { program, versionArgs }: Pick<Runtime, 'program' | 'versionArgs'>,
  { command, versions, version }: Wanted,
): Promise<string | null> {
  const answer = await command(program, versionArgs);
  if (!answer.ok) return answer.output;
  // Warnings may precede or follow it.
  const line = answer.output.split('\n').find((each) => each.startsWith('{'));
  const { [versions.library]: got } = JSON.parse(line ?? '{}') as Record<string, string>;
  return got === version ? null : `expected version ${version}, got ${got}`;
}
