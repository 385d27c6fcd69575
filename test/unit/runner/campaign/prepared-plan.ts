import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pageLoad } from '../../../../experiments/page-load/experiment.ts';
import { planSha256 } from '../../../../ground/records/plan-digest.ts';
import type { PlanRecord } from '../../../../ground/records/run.ts';
import { prepareRun } from '../../../../runner/campaign/prepare.ts';
import { readOptions } from '../../../../runner/options.ts';
import { fakeMachineState } from '../fake-test-bed.ts';

export async function planned(
  words: readonly string[],
  experiment = pageLoad,
): Promise<PlanRecord> {
  const options = readOptions([...words, '--out', '/nowhere/run'], experiment);
  return (await prepareRun(options, words, { readMachineState: fakeMachineState })).record;
}

export async function preparedOf(
  folder: string,
  plan: PlanRecord,
  words: readonly string[] = [],
  experiment = pageLoad,
) {
  const { planSha256: _, ...rest } = plan;
  const file = path.join(folder, 'plan.json');
  await writeFile(file, JSON.stringify({ ...rest, planSha256: planSha256(rest) }));
  const all = ['--plan', file, '--out', path.join(folder, 'run'), ...words];
  return prepareRun(readOptions(all, experiment), all, { readMachineState: fakeMachineState });
}
