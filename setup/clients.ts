import type { ConnectingClient } from '../clients/client.ts';
import { CONNECTING_CLIENTS } from '../clients/index.ts';
import { readStamp } from './folders.mjs';
import { runtimeStep } from './runtime-step.ts';
import { SetupError, type Step } from './step.mjs';

/** Clients that come when they are asked for, and are kept up to date from then on. */
const OPTIONAL = Object.values<ConnectingClient>(CONNECTING_CLIENTS).filter(
  ({ runtime }) => runtime !== null,
);

/**
 * What the clients with these names run on, and those that were asked for before.
 * @throws SetupError when there is no such client
 */
export function clients(asked: readonly string[]): Step[] {
  const names = OPTIONAL.map(({ name }) => name);
  const unknown = asked.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new SetupError(`--clients ${unknown}: there are ${names.join(', ')} to set up.`, 2);
  }
  return OPTIONAL.filter(
    ({ name }) => asked.includes(name) || readStamp(stampOf(name)) !== null,
  ).flatMap(({ name, runtime }) => (runtime ? [runtimeStep(stampOf(name), runtime)] : []));
}

function stampOf(client: string): string {
  return `client-${client}`;
}
