import { existsSync, readdirSync } from 'node:fs';
import { CLIENTS } from '../clients/index.ts';
import { BROWSERS } from '../ground/browser-kind.ts';
import { onDemandRuntimes, type Runtime } from '../ground/runtimes/runtime.ts';
import { splitVersion } from '../ground/stack.ts';
import { UsageError } from '../ground/system/exit-status.ts';
import { STACKS } from '../servers/index.ts';
import { assertVersion, stackOfName } from '../servers/stack-version.ts';
import { run } from './command.mjs';
import { firefox } from './firefox.ts';
import { hasStamp, inMade } from './folders.mjs';
import { type InstallableRuntime, runtimeStep } from './runtime-step.ts';
import { SetupError } from './setup-error.mjs';
import type { Step } from './step.mjs';

/** A runtime that is installed only when selected by name. */
interface OnDemandRuntime {
  name: string;
  runtime: InstallableRuntime;
}

const CLIENTS_ON_DEMAND: readonly OnDemandRuntime[] = CLIENTS.flatMap(({ name, runtime }) =>
  runtime === null ? [] : [{ name, runtime }],
);

const STACKS_ON_DEMAND: readonly OnDemandRuntime[] = STACKS.flatMap((stack) =>
  onDemandRuntimes([stack]).map((runtime) => {
    assertInstallable(runtime);
    return { name: stack.stack, runtime };
  }),
);

/** Selects everything whose requirements the machine meets. */
const AVAILABLE = 'available';

/**
 * Runtimes of the clients with these names, and of those requested before.
 * @throws SetupError for an unknown client
 */
export function clients(requested: readonly string[]): Promise<Step[]> {
  return stepsOf('--clients', CLIENTS_ON_DEMAND, requested);
}

/**
 * Runtimes of the stacks with these names, and of those requested before.
 * @throws SetupError if there is no such stack to set up
 */
export async function stacks(requested: readonly string[]): Promise<Step[]> {
  const names = requested.filter((name) => !isVersion(name));
  const steps = await stepsOf('--stacks', STACKS_ON_DEMAND, names);
  const versions = [...requested.filter(isVersion), ...versionsBefore()];
  const runtimes = new Set<InstallableRuntime>();
  const refused: Step[] = [];
  for (const name of versions) {
    try {
      assertVersion(name, STACKS);
      for (const runtime of onDemandRuntimes([stackOfName(name, STACKS) ?? {}])) {
        assertInstallable(runtime);
        runtimes.add(runtime);
      }
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      refused.push(refusedStep(name, error));
    }
  }
  return [...steps, ...[...runtimes].map(runtimeStep), ...refused];
}

/**
 * Steps of the browsers with these names, and of those requested before.
 * @throws SetupError for an unknown browser
 */
export function browsers(requested: readonly string[]): Step[] {
  const unknown = requested.find((name) => name !== 'firefox');
  if (unknown !== undefined) {
    throw new SetupError(`--browser ${unknown}: there is firefox to set up.`, 2);
  }
  return requested.length > 0 || hasStamp(BROWSERS.firefox.foundFile) ? [firefox] : [];
}

/** Whether a name is that of a known stack with a version, valid or not. */
function isVersion(name: string): boolean {
  const [unversioned, version] = splitVersion(name);
  return version !== null && STACKS.some(({ stack }) => stack === unversioned);
}

/** A step that fails, so that the rest is carried out. */
function refusedStep(name: string, { message }: UsageError): Step {
  return {
    title: `installing ${name}`,
    isDone: () => false,
    run() {
      throw new SetupError(message, 2);
    },
  };
}

/** A stack of each version that was installed before; a failed installation leaves no folder. */
function versionsBefore(): string[] {
  const folder = inMade('.setup', 'stacks');
  if (!existsSync(folder)) return [];
  const versions = readdirSync(folder).flatMap((each) => {
    const [name, version] = splitVersion(each);
    return version === null ? [] : [{ name, version }];
  });
  return versions.flatMap(({ name, version }) => {
    const stack = STACKS.find(({ runtime }) => runtime?.versions && runtime.name === name)?.stack;
    return stack === undefined ? [] : [`${stack}@${version}`];
  });
}

/** Names of those whose build requirements the system meets. */
async function availableNames(offered: readonly OnDemandRuntime[]): Promise<string[]> {
  const names: string[] = [];
  for (const { name, runtime } of offered) {
    const { program, versionArg, isEnough = () => true } = runtime.install.needs;
    const answer = await run(program, versionArg);
    if (answer.ok && isEnough(answer.output)) names.push(name);
  }
  return names;
}

async function stepsOf(
  option: string,
  offered: readonly OnDemandRuntime[],
  requested: readonly string[],
): Promise<Step[]> {
  const names = offered.map(({ name }) => name);
  const unknown = requested.find((name) => name !== AVAILABLE && !names.includes(name));
  if (unknown !== undefined) {
    throw new SetupError(`${option} ${unknown}: there are ${names.join(', ')} to set up.`, 2);
  }
  const selected = [
    ...requested,
    ...(requested.includes(AVAILABLE) ? await availableNames(offered) : []),
  ];
  const wanted = offered.filter(
    ({ name, runtime }) => selected.includes(name) || hasStamp(runtime.name),
  );
  return [...new Set(wanted.map(({ runtime }) => runtime))].map(runtimeStep);
}

function assertInstallable(runtime: Runtime): asserts runtime is Runtime & InstallableRuntime {
  if (!runtime.install) {
    throw new Error(`${runtime.title} is to be set up on demand, and nothing says how`);
  }
}
