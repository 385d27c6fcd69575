import type { RunRecord } from '../../records/run.ts';
import type { Both, FactDifference } from './runs-comparison.ts';

/**
 * What the plans, the machines, the versions and the ends of the path of two runs differ in. Sites, stacks, networks and
 * visits are left out: what only one run has of these is told apart.
 */
export function differingFacts([first, second]: Both<RunRecord>): FactDifference[] {
  const [facts, secondFacts] = [factsOf(first), factsOf(second)];
  const names = new Set([...facts.keys(), ...secondFacts.keys()]);
  return [...names].flatMap((fact) => {
    const values: Both<string | null> = [facts.get(fact) ?? null, secondFacts.get(fact) ?? null];
    return values[0] === values[1] ? [] : [{ fact, values }];
  });
}

function factsOf(run: RunRecord): Map<string, string> {
  const { command, seed, repetitions, timeoutS, backend, choices, analysis, interferenceRule } =
    run;
  const { client, server, stacks, readings } = run.fairness;
  const { loadAverage1m: _, ...host } = run.host;
  const facts = new Map<string, string>();
  const add = (name: string, value: unknown) => {
    for (const [path, text] of leavesOf(name, value)) facts.set(path, text);
  };
  add('command', command.join(' '));
  add('', { seed, repetitions, timeoutS, backend });
  add('', { choices, analysis, interferenceRule, host, versions: run.versions });
  add('fairness', { client, server, stacks, readings });
  return facts;
}

/** The single values below a value, with their paths; of a reading, only what was read and not where from. */
function leavesOf(path: string, value: unknown): [path: string, text: string][] {
  if (value === undefined) return [];
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    return [[path, typeof value === 'string' ? value : JSON.stringify(value)]];
  }
  const { value: read, from, ...others } = value as Record<string, unknown>;
  if (typeof from === 'string' && Object.keys(others).length === 0) return leavesOf(path, read);
  return Object.entries(value).flatMap(([name, member]) =>
    leavesOf(path === '' ? name : `${path}.${name}`, member),
  );
}
