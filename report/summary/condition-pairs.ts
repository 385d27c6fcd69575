import { experimentOf, valueName } from '../../experiments/index.ts';
import { combinationsOf, variantOf } from '../../records/factors.ts';
import type { AskedNetwork } from '../../records/network.ts';
import type { RunRecord } from '../../records/run.ts';
import { sharedPhrase, TREATMENTS, treatmentText } from '../text/condition.ts';
import { networkKey } from './condition.ts';

/** A network condition with the values of the factors. */
interface Condition {
  network: AskedNetwork;
  variant: string;
}

/** Two conditions of a run that differ in one thing alone. */
export interface ConditionPair {
  /** A factor, or what is done to the network. */
  differsIn: string;
  /** What is compared with: the more usual value, or the network without the treatment. */
  from: Condition;
  to: Condition;
  /** What they differ in and what they have in common. */
  words: { from: string; to: string; shared: string };
}

type ConditionsOfRun = Pick<RunRecord, 'experiment' | 'networks' | 'factors'>;

/** Every two values of a factor over the same network, and every network against the same one without its treatment. */
export function conditionPairs(run: ConditionsOfRun): ConditionPair[] {
  return [...factorPairs(run), ...treatmentPairs(run)];
}

function factorPairs(run: ConditionsOfRun): ConditionPair[] {
  const known = experimentOf(run).factors;
  return Object.entries(run.factors).flatMap(([factor, planned]) => {
    const usualFirst = Object.keys(known[factor] ?? {}).filter((value) => planned.includes(value));
    const { [factor]: _, ...others } = run.factors;
    return run.networks.flatMap((network) =>
      combinationsOf(others).flatMap((common) =>
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
          };
        }),
      ),
    );
  });
}

function treatmentPairs({ networks, factors }: ConditionsOfRun): ConditionPair[] {
  return TREATMENTS.flatMap((treatment) =>
    networks.flatMap((network) => {
      const { [treatment]: treated, ...untreated } = network;
      const reference = networks.find((each) => haveSameNumbers(each, untreated));
      if (treated === undefined || !reference) return [];
      return combinationsOf(factors).map((values): ConditionPair => {
        const variant = variantOf(values);
        return {
          differsIn: treatment,
          from: { network: reference, variant },
          to: { network, variant },
          words: {
            from: treatmentText(treatment, reference),
            to: treatmentText(treatment, network),
            shared: sharedPhrase(reference, variant),
          },
        };
      });
    }),
  );
}

function haveSameNumbers(one: AskedNetwork, other: AskedNetwork): boolean {
  return networkKey({ ...one, name: '' }) === networkKey({ ...other, name: '' });
}

function twoOf<Each>(items: readonly Each[]): [Each, Each][] {
  return items.flatMap((one, index) =>
    items.slice(index + 1).map((other): [Each, Each] => [one, other]),
  );
}
