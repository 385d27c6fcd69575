import type { Client } from '../experiments/measuring.ts';
import type { NetworkCondition } from '../ground/records/network.ts';
import { type RunChoices, settingsUnder, type Trial } from '../ground/records/run.ts';
import type { Stack } from '../ground/stack.ts';
import { type Server, serverSettingsOf } from './servers.ts';

type Choices = Pick<RunChoices, 'congestionControl'>;

/** Conditions under which every arm has the same settings. */
interface ConditionGroup {
  networks: ReadonlySet<string>;
  /** The arms with their settings under these conditions. */
  stacks: readonly Stack[];
}

/** Groups the conditions of a run by the settings of arms; one group when no condition has any. */
export function groupConditions(
  networks: readonly Pick<NetworkCondition, 'name'>[],
  stacks: readonly Stack[],
): ConditionGroup[] {
  const under = (network: Pick<NetworkCondition, 'name'>) =>
    stacks.map((stack) => settingsUnder(stack, network));
  const groups = Map.groupBy(networks, (network) => JSON.stringify(under(network)));
  return [...groups.values()].flatMap((alike) => {
    const [first] = alike;
    if (!first) return [];
    const settings = under(first);
    return {
      networks: new Set(alike.map(({ name }) => name)),
      stacks: stacks.map((stack, index) => ({ ...stack, settings: settings[index] })),
    };
  });
}

/** Servers to start for some stacks: one for each combination of settings that a program gets at its start. */
export function stacksToStart(
  stacks: readonly Stack[],
  networks: readonly Pick<NetworkCondition, 'name'>[],
  choices: Choices,
): Stack[] {
  return stacks.flatMap((stack) => {
    const alike = groupConditions(networks, [stack]).flatMap((each) => each.stacks);
    const same = Map.groupBy(alike, (each) => serverSettingsOf(each, choices));
    return [...same.values()].flatMap(([first]) => first ?? []);
  });
}

/** The servers of arms under some conditions, with each arm's settings. */
export function serversUnder(
  { stacks }: ConditionGroup,
  servers: readonly Server[],
  choices: Choices,
): Server[] {
  return stacks.flatMap((stack) => {
    const own = servers.filter((each) => each.stack.stack === stack.stack);
    const wanted = serverSettingsOf(stack, choices);
    const found = own.find((each) => serverSettingsOf(each.stack, choices) === wanted);
    return found ? [{ ...found, stack }] : [];
  });
}

/** Delegates each trial to the client of its condition. */
export function clientOfConditions(
  clients: readonly { networks: ReadonlySet<string>; client: Client }[],
): Client {
  const [only] = clients;
  if (only && clients.length === 1) return only.client;
  const indexOf = ({ network }: Pick<Trial, 'network'>) =>
    clients.findIndex(({ networks }) => networks.has(network.name));
  const clientOf = (trial: Pick<Trial, 'network'>) => {
    const found = clients[indexOf(trial)];
    if (!found) throw new Error(`no client for ${trial.network.name}`);
    return found.client;
  };
  return {
    get isWorn() {
      return clients.some(({ client }) => client.isWorn);
    },
    clientKey: (trial) => `${clientOf(trial).clientKey?.(trial) ?? trial.arm} ${indexOf(trial)}`,
    ...(clients.some(({ client }) => client.warmUp) && {
      warmUp: async (trials: readonly Trial[]) => {
        // All trials have one condition.
        const [first] = trials;
        if (first) await clientOf(first).warmUp?.(trials);
      },
    }),
    async prepare(trial): Promise<ClientPreparation> {
      const client = clientOf(trial);
      return { client, prepared: await client.prepare(trial) };
    },
    measure: (by) => (by as ClientPreparation).client.measure((by as ClientPreparation).prepared),
    readyForNext: (by) =>
      (by as ClientPreparation).client.readyForNext((by as ClientPreparation).prepared),
    dispose: (by) => (by as ClientPreparation).client.dispose((by as ClientPreparation).prepared),
    async close() {
      await Promise.all(clients.map(({ client }) => client.close()));
    },
  };
}

interface ClientPreparation {
  client: Client;
  prepared: unknown;
}
