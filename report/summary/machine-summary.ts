import type { Observation } from '../../ground/records/observation.ts';
import * as s from '../../ground/records/schema.ts';
import type { Block } from './blocks.ts';
import { type PrimaryAnswer, primaryAnswerSchema } from './comparison.ts';
import { type Machine, machineOfLoad, machineSchema } from './machines.ts';

const { network, variant, arm, baseline, nSites, nPairs, ratio, verdict } =
  primaryAnswerSchema.properties;

const machineRatioSchema = s.object(
  { network, variant, arm, baseline, nSites, nPairs, ratio, verdict },
  'What an answer of a run and that of a single machine have in common.',
);

export type MachineRatio = s.Static<typeof machineRatioSchema>;

export const machineSummarySchema = s.object(
  {
    ...machineSchema.properties,
    nLoads: s.count('Loads made on it; warm-ups, failed and invalid ones included.'),
    nCounted: s.count('Of these, in the statistics.'),
    nSites: s.count('Sites with such loads.'),
    primary: s.list(
      machineRatioSchema,
      'As `primary` of the run, over the blocks that lie on this machine; empty when it is the only one.',
    ),
  },
  'A machine as a vantage point: what it is, what was made on it, and what came out there alone.',
);

export type MachineSummary = s.Static<typeof machineSummarySchema>;

/**
 * The machines of a run, side by side.
 * @param answersOver the primary answers over these blocks alone
 */
export function machineSummariesOf(
  machines: readonly Machine[],
  { observations, blocks }: { observations: readonly Observation[]; blocks: readonly Block[] },
  answersOver: (keep: (block: Block) => boolean) => readonly PrimaryAnswer[],
): MachineSummary[] {
  const loadsOf = Map.groupBy(observations, machineOfLoad(machines));
  const blocksOf = Map.groupBy(blocks, ({ machine }) => machine);
  return machines.map((each) => {
    const { machine } = each;
    const own = blocksOf.get(machine) ?? [];
    return {
      ...each,
      nLoads: loadsOf.get(machine)?.length ?? 0,
      nCounted: own.reduce((sum, { loads }) => sum + loads.size, 0),
      nSites: new Set(own.map(({ subject }) => subject)).size,
      primary:
        machines.length === 1
          ? []
          : answersOver((block) => block.machine === machine).map((answer) =>
              s.fieldsOf(machineRatioSchema, answer),
            ),
    };
  });
}
