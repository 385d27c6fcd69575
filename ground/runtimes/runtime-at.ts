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
  const library = `${versions.library} ${version}`;
  const { program, needs, madeFrom, fetch, build } = versions.at(version, folder);
  const made: Runtime = {
    ...rest,
    name,
    title: `${runtime.title}, ${library}`,
    program,
    onDemand: true,
    install: {
      title: `installing ${library} for its stacks`,
      madeFrom,
      needs,
      async run(command) {
        const problem = await problemOf();
        // A program that does not work must not pass for an installed one.
        if (problem !== null) await command('rm', ['-rf', folder]);
        return problem;

        async function problemOf(): Promise<string | null> {
          const { ok, output } = await command(needs.program, needs.versionArg);
          if (!ok || !(needs.isEnough?.(output) ?? true)) {
            return `${library} needs ${needs.program}, and this machine has ${ok ? output : 'none'}. ${needs.remedy}.`;
          }
          const unfetched = await fetch(command);
          if (unfetched !== null) {
            return `${library} could not be fetched.${await nearest(command)}\n${unfetched}`;
          }
          const unbuilt = (await build?.(command)) ?? (await unfit(command));
          return unbuilt && `${library} is not able to run these stacks:\n${unbuilt}`;
        }
      },
    },
  };
  runtimes.set(name, made);
  return made;

  async function nearest(command: RunCommand): Promise<string> {
    const near = versionsNear(version, await versions.known(command, program), NEAREST);
    return near.length === 0 ? '' : ` The registry's versions nearest to it: ${near.join(', ')}.`;
  }

  /** Why the installed program is not that version; null: it is. */
  async function unfit(command: RunCommand): Promise<string | null> {
    const answer = await command(program, runtime.versionArgs);
    if (!answer.ok) return answer.output;
    // Warnings may precede or follow it.
    const line = answer.output.split('\n').find((each) => each.startsWith('{'));
    const { [versions.library]: got } = JSON.parse(line ?? '{}') as Record<string, string>;
    return got === version ? null : `expected version ${version}, got ${got}`;
  }
}
