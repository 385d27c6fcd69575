import { existsSync } from 'node:fs';
import { MachineError } from '../ground/system/errors.ts';
import { shellWord } from '../ground/system/shell-word.ts';
import { aioquic } from './aioquic/client.ts';
import { bun } from './bun/client.ts';
import { chromium } from './chromium/client.ts';
import type { Client } from './client.ts';
import { curl } from './curl/client.ts';

/** Every client, in the order of the help. */
export const CLIENTS: readonly Client[] = [bun, chromium, curl, aioquic];

const NOUNS = { connect: 'connections', transfer: 'transfers' } as const;

/** Purposes for which `--client` selects a client. */
type Ability = keyof typeof NOUNS;

export type ClientWith<Needed extends Ability> = Client & Required<Pick<Client, Needed>>;

export function clientsFor<Needed extends Ability>(ability: Needed): ClientWith<Needed>[] {
  return CLIENTS.filter((client): client is ClientWith<Needed> => client[ability] !== undefined);
}

/** @throws MachineError if this version lacks the client, as for a plan of another version */
export function clientFor<Needed extends Ability>(
  ability: Needed,
  name: string,
): ClientWith<Needed> {
  const able = clientsFor(ability);
  const found = able.find((client) => client.name === name);
  if (found) return found;
  throw new MachineError(
    `This version has no client ${name} for ${NOUNS[ability]}. It has ${able.map((client) => client.name).join(', ')}.`,
  );
}

/** Command that sets up a client that does not come with the project. */
export function setUpCommand({ name }: Pick<Client, 'name'>): string {
  return `npm run setup -- --clients ${shellWord(name)}`;
}

/**
 * Command that starts one of a client's programs.
 * @param bunProgram this machine's Bun
 * @throws MachineError when the client is not set up
 */
export function clientCommand(
  client: Pick<Client, 'name' | 'runtime'>,
  program: string,
  bunProgram: string,
): readonly string[] {
  const { runtime } = client;
  // Keeps Bun's warnings about experimental features out of messages.
  if (runtime === null) return [bunProgram, '--disable-warning=ExperimentalWarning', program];
  assertSetUp(client);
  // Ignores the environment and the user's packages; writes no compiled files.
  return [runtime.program, '-B', '-E', '-s', program];
}

/** @throws MachineError when the client is not set up */
export function assertSetUp(client: Pick<Client, 'name' | 'runtime'>): void {
  const { name, runtime } = client;
  if (runtime === null || existsSync(runtime.program)) return;
  throw new MachineError(
    `The client ${name} is not set up on this machine. Run: ${setUpCommand(client)}`,
  );
}
