import type { Experiment } from '../ground/experiment.ts';
import type { Stack } from '../ground/stack.ts';
import { STACKS } from '../servers/index.ts';
import { isOwnPair } from '../servers/own-stack.ts';
import { stackOfName } from '../servers/stack-version.ts';

let experiments: () => readonly Pick<Experiment, 'stacks'>[] = () => [];

/** Adds the stacks of experiments. The index calls it, because experiments import this file themselves. */
export function registerExperimentStacks(registered: typeof experiments): void {
  experiments = registered;
}

/** The stacks that serve pages, and those of experiments. */
export function allStacks(): Stack[] {
  return [...new Set([...STACKS, ...experiments().flatMap(({ stacks = [] }) => stacks)])];
}

/** undefined: this version has no stack of that name, as in the run of another version. */
export function stackNamed(name: string): Stack | undefined {
  return stackOfName(name, STACKS) ?? stackOfName(name, allStacks());
}

/** Whether two stacks are one server program over QUIC and over TCP, in either order. */
export function isProtocolPair(a: string, b: string): boolean {
  return isTwinPair(a, b) || isTwinPair(b, a);
}

/** Names of stacks outside this project are the user's. */
function isTwinPair(quic: string, tcp: string): boolean {
  const known = stackNamed(quic);
  return known ? known.tcpTwin?.stack === tcp : isOwnPair(quic, tcp);
}
