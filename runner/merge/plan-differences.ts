import { variantsOf } from '../../ground/records/factors.ts';
import { networkKey } from '../../ground/records/network.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import { factName } from '../../kit/text/fact-name.ts';
import { differingFacts } from '../../report/summary/compare-runs.ts';

/** Fields of run.json that do not belong to the plan, as each machine has its own. */
const OF_THE_MACHINE = /^(command|backend|host|versions|fairness|choices\.pinned)\b/;

/** Differences between the plans of two runs, as sentences; empty: the same plan. */
export function planDifferences(first: RunRecord, second: RunRecord): string[] {
  const facts = differingFacts([first, second]).filter(({ fact }) => !OF_THE_MACHINE.test(fact));
  const differences = [
    ...listDifferences('site', first.subjects, second.subjects, ({ subject }) => subject),
    ...otherPages(first, second),
    ...listDifferences('stack', first.arms, second.arms, ({ arm }) => arm),
    ...listDifferences('network condition', first.networks, second.networks, conditionName),
    ...listDifferences('variant', variantsOf(first), variantsOf(second), (variant) => variant),
    ...facts.map(
      ({ fact, values: [own, other] }) => `Not the same: ${factName(fact)}, ${own} and ${other}.`,
    ),
    ...(first.preset === second.preset
      ? []
      : [`The preset is ${first.preset ?? 'none'} and ${second.preset ?? 'none'}.`]),
  ];
  if (differences.length > 0) return differences;
  if (JSON.stringify(first.trials) !== JSON.stringify(second.trials)) {
    return ['The planned loads or their order differ.'];
  }
  return first.planSha256 === second.planSha256 ? [] : ['The digests of the plans differ.'];
}

function listDifferences<Item>(
  noun: string,
  first: readonly Item[],
  second: readonly Item[],
  nameOf: (item: Item) => string,
): string[] {
  const names = [first, second].map((items) => new Set(items.map(nameOf)));
  const [own = new Set(), other = new Set()] = names;
  return [
    ...[...own]
      .filter((name) => !other.has(name))
      .map((name) => `Only the first has the ${noun} ${name}.`),
    ...[...other]
      .filter((name) => !own.has(name))
      .map((name) => `Only the second has the ${noun} ${name}.`),
  ];
}

function otherPages(first: RunRecord, second: RunRecord): string[] {
  const digests = new Map(
    second.subjects.map(({ subject, manifestSha256 }) => [subject, manifestSha256]),
  );
  return first.subjects.flatMap(({ subject, manifestSha256 }) =>
    (digests.get(subject) ?? manifestSha256) === manifestSha256
      ? []
      : [`The page ${subject} is not the same: its index.json differs.`],
  );
}

function conditionName(network: RunRecord['networks'][number]): string {
  return `${network.name} ${networkKey(network)}`;
}
