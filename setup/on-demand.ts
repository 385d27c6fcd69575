import { CLIENTS } from '../clients/index.ts';
import { onDemandRuntimes, RUNTIMES } from '../ground/runtimes/index.ts';
import type { Runtime } from '../ground/runtimes/runtime.ts';
import { STACKS } from '../servers/index.ts';
import { run } from './command.mjs';
import { hasStamp } from './folders.mjs';
import { runtimeStep } from './runtime-step.ts';
import { SetupError } from './setup-error.mjs';
import type { Step } from './step.mjs';

type Installed = Required<Pick<Runtime, 'program' | 'install'>>;

/** Something that an option brings when it is asked for by name. */
interface OnDemand {
  name: string;
  /** Where it is remembered what its runtime was made from; one for all that share a runtime. */
  stamp: string;
  runtime: Installed;
}

const CLIENTS_ON_DEMAND: readonly OnDemand[] = CLIENTS.flatMap(({ name, runtime }) =>
  runtime === null ? [] : [{ name, stamp: `client-${name}`, runtime }],
);

const STACKS_ON_DEMAND: readonly OnDemand[] = STACKS.flatMap((stack) =>
  onDemandRuntimes([stack]).map((stamp) => ({
    name: stack.stack,
    stamp,
    runtime: withInstallation(RUNTIMES[stamp]),
  })),
);

/** Selects all whose needs the machine meets. */
const AVAILABLE = 'available';

/**
 * What the clients with these names run on, and those that were asked for before.
 * @throws SetupError when there is no such client
 */
export function clients(asked: readonly string[]): Promise<Step[]> {
  return stepsOf('--clients', CLIENTS_ON_DEMAND, asked);
}

/**
 * What the stacks with these names run on, and those that were asked for before.
 * @throws SetupError when there is no such stack to set up
 */
export function stacks(asked: readonly string[]): Promise<Step[]> {
  return stepsOf('--stacks', STACKS_ON_DEMAND, asked);
}

/** Those for whose runtime the system has what it is made with. */
async function possible(offered: readonly OnDemand[]): Promise<string[]> {
  const names: string[] = [];
  for (const { name, runtime } of offered) {
    const { program, askVersion, isEnough = () => true } = runtime.install.needs;
    const answer = await run(program, askVersion);
    if (answer.ok && isEnough(answer.output)) names.push(name);
  }
  return names;
}

async function stepsOf(
  option: string,
  offered: readonly OnDemand[],
  asked: readonly string[],
): Promise<Step[]> {
  const names = offered.map(({ name }) => name);
  const unknown = asked.find((name) => name !== AVAILABLE && !names.includes(name));
  if (unknown !== undefined) {
    throw new SetupError(`${option} ${unknown}: there are ${names.join(', ')} to set up.`, 2);
  }
  const selected = [...asked, ...(asked.includes(AVAILABLE) ? await possible(offered) : [])];
  const wanted = offered.filter(({ name, stamp }) => selected.includes(name) || hasStamp(stamp));
  const runtimes = new Map(wanted.map(({ stamp, runtime }) => [stamp, runtime]));
  return [...runtimes].map(([stamp, runtime]) => runtimeStep(stamp, runtime));
}

function withInstallation({
  title,
  program,
  install,
}: Runtime): Required<Pick<Runtime, 'program' | 'install'>> {
  if (!install) throw new Error(`${title} is to be set up on demand, and nothing says how`);
  return { program, install };
}
