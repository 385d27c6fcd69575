import type { Experiment } from '../ground/experiment.ts';
import type { Stack } from '../ground/stack.ts';
import { STACKS } from '../servers/index.ts';
import { isOwnPair } from '../servers/own-stack.ts';

let experiments: () => readonly Pick<Experiment, 'stacks'>[] = () => [];

/** Adds the stacks that experiments bring. The index calls it, because experiments import this file themselves. */
export function registerExperimentStacks(those: typeof experiments): void {
  experiments = those;
}

/** Every stack: those that serve pages, and those that experiments bring. */
export function allStacks(): Stack[] {
  return [...STACKS, ...experiments().flatMap(({ stacks = [] }) => stacks)];
}

/** undefined: this version has none of that name, as in the run of another version. */
export function stackNamed(name: string): Stack | undefined {
  const isNamed = ({ stack }: Stack) => stack === name;
  return STACKS.find(isNamed) ?? allStacks().find(isNamed);
}

/** Whether two stacks are one server program over QUIC and over TCP, in either order. */
export function isProtocolPair(a: string, b: string): boolean {
  return isTwinPair(a, b) || isTwinPair(b, a);
}

/** A stack that is not of this project has a name that the user chose. */
function isTwinPair(quic: string, tcp: string): boolean {
  const known = stackNamed(quic);
  return known ? known.tcpTwin?.stack === tcp : isOwnPair(quic, tcp);
}
