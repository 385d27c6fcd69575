import type { Experiment } from '../ground/experiment.ts';
import { inBrowser, type Stack, splitBrowser } from '../ground/stack.ts';
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
  const [inUsual, browser] = splitBrowser(name);
  const found = stackOfName(inUsual, STACKS) ?? stackOfName(inUsual, allStacks());
  return found && browser !== null ? inBrowser(found, browser) : found;
}

/** Whether two stacks are one server program over QUIC and over TCP in one browser, in either order. */
export function isProtocolPair(a: string, b: string): boolean {
  const [[one, browser], [other, otherBrowser]] = [splitBrowser(a), splitBrowser(b)];
  return browser === otherBrowser && (isTwinPair(one, other) || isTwinPair(other, one));
}

/** Names of stacks outside this project are the user's. */
function isTwinPair(quic: string, tcp: string): boolean {
  const known = stackNamed(quic);
  return known ? known.tcpTwin?.stack === tcp : isOwnPair(quic, tcp);
}
