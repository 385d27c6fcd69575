import { comparedText, sharedPhrase } from '../../experiments/condition.ts';
import { experimentOf, valueName } from '../../experiments/index.ts';
import { browserLabel, isFoundBySetUp } from '../../ground/browser-kind.ts';
import { DIMENSION_ROWS_BY_AGE } from '../../ground/records/dimensions.ts';
import { combinationsOf, variantOf } from '../../ground/records/factors.ts';
import { type NetworkCondition, networkKeyWithout } from '../../ground/records/network.ts';
import type { Protocol } from '../../ground/records/protocol.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import { splitBrowser } from '../../ground/stack.ts';

interface Condition {
  network: NetworkCondition;
  variant: string;
}

/** Two conditions of a run that differ in one thing. */
export interface ConditionPair {
  /** A factor, a dimension of the network, or the browser. */
  differsIn: string;
  /** The reference: the more usual value, or the network without the treatment. */
  from: Condition;
  to: Condition;
  /** Browsers that load the pages of an arm, where these differ; null: the usual one. */
  browsers?: { from: string | null; to: string };
  /** Their difference and what they have in common. */
  words: { from: string; to: string; shared: string };
  /** Whether an arm of that protocol sees no difference. */
  isSameFor(protocol: Protocol): boolean;
}

type ConditionsOfRun = Pick<RunRecord, 'experiment' | 'networks' | 'factors' | 'arms'>;

/**
 * Every two values of a factor over the same network, every two networks that differ in one dimension which is compared, and
 * every two browsers under the same condition.
 */
export function conditionPairs(run: ConditionsOfRun): ConditionPair[] {
  return [...factorPairs(run), ...dimensionPairs(run), ...browserPairs(run)];
}

function factorPairs(run: ConditionsOfRun): ConditionPair[] {
  const { factors: known, valueFor = (value: string) => value } = experimentOf(run);
  return Object.entries(run.factors).flatMap(([factor, planned]) => {
    const usualFirst = Object.keys(known[factor] ?? {}).filter((value) => planned.includes(value));
    const { [factor]: _, ...further } = run.factors;
    return run.networks.flatMap((network) =>
      combinationsOf(further).flatMap((common) =>
        twoOf(usualFirst).map(([from, to]): ConditionPair => {
          const having = (value: string) => variantOf({ ...common, [factor]: value });
          return {
            differsIn: factor,
            from: { network, variant: having(from) },
            to: { network, variant: having(to) },
            words: {
              from: valueName(from),
              to: valueName(to),
              shared: sharedPhrase(network, variantOf(common)),
            },
            isSameFor: (protocol) => valueFor(from, protocol) === valueFor(to, protocol),
          };
        }),
      ),
    );
  });
}

/** Every network with the one that differs from it in one dimension, and lacks that or comes first. */
function dimensionPairs({ networks, factors }: ConditionsOfRun): ConditionPair[] {
  return DIMENSION_ROWS_BY_AGE.flatMap((row) => {
    const { field, none, reference: kind } = row;
    if (kind === undefined) return [];
    const lacks = (network: NetworkCondition) => (network[field] ?? none) === none;
    return [...Map.groupBy(networks, (each) => networkKeyWithout(each, field)).values()].flatMap(
      (alike) => {
        const reference = alike.find(lacks) ?? (kind === 'usual' ? alike[0] : undefined);
        if (!reference) return [];
        const { [field]: _, ...rest } = reference;
        const common = {
          ...rest,
          ...(none !== undefined && { [field]: none }),
        } as NetworkCondition;
        return alike
          .filter((each) => each !== reference && !lacks(each))
          .flatMap((network) =>
            combinationsOf(factors).map((values): ConditionPair => {
              const variant = variantOf(values);
              return {
                differsIn: field,
                from: { network: reference, variant },
                to: { network, variant },
                words: {
                  from: comparedText(row, reference),
                  to: comparedText(row, network),
                  shared: sharedPhrase(common, variant),
                },
                isSameFor: () => false,
              };
            }),
          );
      },
    );
  });
}

/** Every two browsers under each condition, the usual one first. */
function browserPairs({ arms, networks, factors }: ConditionsOfRun): ConditionPair[] {
  const names = arms.map(({ arm }) => splitBrowser(arm)[1]);
  const browsers = [...new Set(names)].toSorted((a, b) => Number(b === null) - Number(a === null));
  const nameOf = (browser: string | null) =>
    browser ?? arms[names.indexOf(null)]?.client ?? 'unknown';
  return networks.flatMap((network) =>
    combinationsOf(factors).flatMap((values) =>
      twoOf(browsers).flatMap(([from, to]): ConditionPair[] => {
        if (to === null) return [];
        const condition = { network, variant: variantOf(values) };
        return [
          {
            differsIn: 'browser',
            from: condition,
            to: condition,
            browsers: { from, to },
            words: {
              from: browserLabel(nameOf(from)),
              to: isFoundBySetUp(to) ? browserLabel(to) : `browser ${to}`,
              shared: sharedPhrase(network, condition.variant),
            },
            isSameFor: () => false,
          },
        ];
      }),
    ),
  );
}

function twoOf<Each>(items: readonly Each[]): [Each, Each][] {
  return items.flatMap((one, index) =>
    items.slice(index + 1).map((other): [Each, Each] => [one, other]),
  );
}
