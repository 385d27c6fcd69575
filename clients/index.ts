import { existsSync } from 'node:fs';
import { MachineError } from '../ground/system/errors.ts';
import { shellWord } from '../ground/system/shell-word.ts';
import { aioquic } from './aioquic/client.ts';
import { bun } from './bun/client.ts';
import type { ConnectingClient } from './client.ts';
import { curl } from './curl/client.ts';

/** Every client that makes connections, by name; the first is the usual one. */
export const CONNECTING_CLIENTS = { bun, curl, aioquic } as const satisfies Record<
  string,
  ConnectingClient
>;

/** @throws MachineError for one that this version does not have, as of a plan that another one made */
export function clientNamed(name: string): ConnectingClient {
  const clients: Readonly<Record<string, ConnectingClient>> = CONNECTING_CLIENTS;
  const found = Object.hasOwn(clients, name) ? clients[name] : undefined;
  if (found) return found;
  throw new MachineError(
    `This version has no client ${name} for connections. It has ${Object.keys(clients).join(', ')}.`,
  );
}

/** What sets up a client that does not come with the project. */
export function setUpCommand({ name }: ConnectingClient): string {
  return `npm run setup -- --clients ${shellWord(name)}`;
}

/**
 * What starts a client (startConnector runs it).
 * @param bunProgram this machine's Bun
 * @throws MachineError when it is not set up
 */
export function clientCommand(client: ConnectingClient, bunProgram: string): readonly string[] {
  const { runtime, program } = client;
  // What is experimental of it is no news in a message.
  if (runtime === null) return [bunProgram, '--disable-warning=ExperimentalWarning', program];
  assertSetUp(client);
  // Nothing but what is installed for it, and no compiled files in the project.
  return [runtime.program, '-B', '-E', '-s', program];
}

/** @throws MachineError when it is not */
export function assertSetUp(client: ConnectingClient): void {
  const { name, runtime } = client;
  if (runtime === null || existsSync(runtime.program)) return;
  throw new MachineError(
    `The client ${name} is not set up on this machine. Run: ${setUpCommand(client)}`,
  );
}
