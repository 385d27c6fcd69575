import type { ConnectingClient } from '../clients/client.ts';
import { CONNECTING_CLIENTS } from '../clients/index.ts';
import { STACKS } from '../servers/index.ts';
import { onDemandRuntimes, RUNTIMES } from '../servers/runtimes/index.ts';
import type { Runtime } from '../servers/runtimes/runtime.ts';
import { run } from './command.mjs';
import { readStamp } from './folders.mjs';
import { runtimeStep } from './runtime-step.ts';
import { SetupError, type Step } from './step.mjs';

/** What an option brings when it is asked for: runtimes by their stamps, and by the names that ask for them. */
interface OnDemand {
  option: string;
  runtimes: ReadonlyMap<string, Required<Pick<Runtime, 'program' | 'install'>>>;
  /** Name to stamp. */
  names: ReadonlyMap<string, string>;
}

const CLIENTS: OnDemand = {
  option: '--clients',
  runtimes: new Map(
    Object.values<ConnectingClient>(CONNECTING_CLIENTS).flatMap(({ name, runtime }) =>
      runtime === null ? [] : [[`client-${name}`, runtime] as const],
    ),
  ),
  names: new Map(
    Object.values<ConnectingClient>(CONNECTING_CLIENTS).flatMap(({ name, runtime }) =>
      runtime === null ? [] : [[name, `client-${name}`] as const],
    ),
  ),
};

const STACKS_ON_DEMAND: OnDemand = {
  option: '--stacks',
  runtimes: new Map(
    onDemandRuntimes(STACKS).map((name) => [name, withInstallation(RUNTIMES[name])]),
  ),
  names: new Map(
    STACKS.flatMap((stack) => onDemandRuntimes([stack]).map((name) => [stack.stack, name])),
  ),
};

/** Asks for all stacks whose needs the machine meets. */
const AVAILABLE = 'available';

/**
 * What the clients with these names run on, and those that were asked for before.
 * @throws SetupError when there is no such client
 */
export function clients(asked: readonly string[]): Step[] {
  return stepsOf(CLIENTS, asked);
}

/**
 * What the stacks with these names run on, and those that were asked for before.
 * @throws SetupError when there is no such stack to set up
 */
export function stacks(asked: readonly string[]): Step[] {
  const all = [...STACKS_ON_DEMAND.names].flatMap(([name, stamp]) =>
    isPossible(STACKS_ON_DEMAND.runtimes.get(stamp)) ? [name] : [],
  );
  return stepsOf(
    STACKS_ON_DEMAND,
    asked.flatMap((name) => (name === AVAILABLE ? all : [name])),
  );
}

function stepsOf({ option, runtimes, names }: OnDemand, asked: readonly string[]): Step[] {
  const unknown = asked.find((name) => !names.has(name));
  if (unknown !== undefined) {
    throw new SetupError(
      `${option} ${unknown}: there are ${[...names.keys()].join(', ')} to set up.`,
      2,
    );
  }
  const wanted = new Set(asked.map((name) => names.get(name)));
  return [...runtimes].flatMap(([stamp, runtime]) =>
    wanted.has(stamp) || readStamp(stamp) !== null ? [runtimeStep(stamp, runtime)] : [],
  );
}

function withInstallation({
  title,
  program,
  install,
}: Runtime): Required<Pick<Runtime, 'program' | 'install'>> {
  if (!install) throw new Error(`${title} is to be set up on demand, and nothing says how`);
  return { program, install };
}

/** Whether the system has what a runtime is made with. */
function isPossible(runtime: Pick<Required<Runtime>, 'install'> | undefined): boolean {
  if (runtime === undefined) return false;
  const { program, askVersion, isEnough = () => true } = runtime.install.needs;
  const answer = run(program, askVersion);
  return answer.ok && isEnough(answer.output);
}
