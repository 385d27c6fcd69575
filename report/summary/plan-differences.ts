import { variantsOf } from '../../ground/records/factors.ts';
import { networkKey } from '../../ground/records/network.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import { factName } from '../../kit/text/fact-name.ts';
import { differingFacts } from './compare-runs.ts';
import type { FactDifference } from './runs-comparison.ts';

/** Facts that do not belong to the plan, as each machine has its own; also names and places of the user's servers. */
const OF_THE_MACHINE = /^(command|backend|host|versions|fairness|arms|choices\.pinned)\b/;

/** Differences between machines, versions and ends of the path, without the load of the machine and the user's options. */
export function machineDifferences(first: RunRecord, second: RunRecord): FactDifference[] {
  return differingFacts([first, second]).filter(
    ({ fact }) => fact !== 'command' && OF_THE_MACHINE.test(fact),
  );
}

/**
 * Differences between what two runs planned to measure, as sentences, without the order of the loads.
 * @param ignores facts that may differ
 */
export function contentDifferences(
  first: RunRecord,
  second: RunRecord,
  ignores: (difference: FactDifference) => boolean = () => false,
): string[] {
  const facts = differingFacts([first, second]).filter(
    (each) => !OF_THE_MACHINE.test(each.fact) && !ignores(each),
  );
  return [
    ...listDifferences('site', first.subjects, second.subjects, ({ subject }) => subject),
    ...otherPages(first, second),
    ...listDifferences('stack', first.arms, second.arms, ({ arm }) => arm),
    ...otherArms(first, second),
    ...listDifferences('network condition', first.networks, second.networks, conditionName),
    ...listDifferences('variant', variantsOf(first), variantsOf(second), (variant) => variant),
    ...facts.map(
      ({ fact, values: [own, other] }) =>
        `Not the same: ${factName(fact)}, ${own ?? 'not set'} and ${other ?? 'not set'}.`,
    ),
  ];
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

/** Stacks of one name with other settings. */
function otherArms(first: RunRecord, second: RunRecord): string[] {
  const planned = new Map(second.arms.map((each) => [each.arm, settingsText(each)]));
  return first.arms.flatMap((each) =>
    (planned.get(each.arm) ?? settingsText(each)) === settingsText(each)
      ? []
      : [`The settings of the stack ${each.arm} differ.`],
  );
}

/** Independent of the order of fields; without the label and the program, which can name a version. */
function settingsText({ label: _, own: __, ...planned }: RunRecord['arms'][number]): string {
  return JSON.stringify(planned, (_key, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

function conditionName(network: RunRecord['networks'][number]): string {
  return `${network.name} ${networkKey(network)}`;
}
