import { experimentOf, valueName } from '../../experiments/index.ts';
import { combinationsOf, variantOf } from '../../records/factors.ts';
import { type AskedNetwork, networkKeyBut } from '../../records/network.ts';
import type { Protocol } from '../../records/protocol.ts';
import type { RunRecord } from '../../records/run.ts';
import { sharedPhrase, TREATMENTS, treatmentText } from '../text/condition.ts';

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
  /** Whether both are one and the same to an arm of that protocol. */
  isSameFor(protocol: Protocol): boolean;
}

type ConditionsOfRun = Pick<RunRecord, 'experiment' | 'networks' | 'factors'>;

/** Every two values of a factor over the same network, and every network against the same one without its treatment. */
export function conditionPairs(run: ConditionsOfRun): ConditionPair[] {
  return [...factorPairs(run), ...treatmentPairs(run)];
}

function factorPairs(run: ConditionsOfRun): ConditionPair[] {
  const { factors: known, valueFor = (value: string) => value } = experimentOf(run);
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
            isSameFor: (protocol) => valueFor(from, protocol) === valueFor(to, protocol),
          };
        }),
      ),
    );
  });
}

function treatmentPairs({ networks, factors }: ConditionsOfRun): ConditionPair[] {
  return TREATMENTS.flatMap((treatment) =>
    networks.flatMap((network) => {
      const untreated = networkKeyBut(network, treatment);
      const reference = networks.find((each) => networkKeyBut(each) === untreated);
      if (network[treatment] === undefined || !reference) return [];
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
          isSameFor: () => false,
        };
      });
    }),
  );
}

function twoOf<Each>(items: readonly Each[]): [Each, Each][] {
  return items.flatMap((one, index) =>
    items.slice(index + 1).map((other): [Each, Each] => [one, other]),
  );
}
