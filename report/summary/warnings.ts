import { experimentOf, verdictMetric } from '../../experiments/index.ts';
import { blockKey, conditionKey, subjectConditionKey } from '../../ground/records/cell.ts';
import type { InvocationRecord } from '../../ground/records/invocation.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { AnalysisPlan, ImportedTable, RunRecord } from '../../ground/records/run.ts';
import { capitalize } from '../../kit/text/capitalize.ts';
import { countWithNoun, decimalText, momentText } from '../../kit/text/number.ts';
import { AND, sentences } from '../../kit/text/sentences.ts';
import type { ChosenAnalysis } from './analysis.ts';
import { lopsidedNotes } from './answer-exclusions.ts';
import type { Block } from './blocks.ts';
import type { Comparison, PrimaryAnswer } from './comparison.ts';
import { conditionPairs } from './condition-pairs.ts';
import { givenUpWarnings } from './given-up.ts';
import { disturbedSentence, fullSocketsSentence } from './machine-notes.ts';
import { machinesOf } from './machines.ts';
import { pairNames, plannedPairs } from './primary-questions.ts';
import type { Progress } from './progress.ts';

interface WarningSource {
  run: RunRecord;
  progress: Progress;
  analysis: ChosenAnalysis;
  comparisons: readonly Comparison[];
  primary: readonly PrimaryAnswer[];
  invocations: readonly InvocationRecord[];
  blocks: readonly Block[];
  /** Loads of repeated attempts. */
  superseded: readonly Observation[];
}

/** Warnings, as sentences; empty for a run that ended well. */
export function warningsOf(source: WarningSource): string[] {
  const { run, progress, analysis, comparisons } = source;
  const made = source.blocks.flatMap((block) => block.made);
  const nDisturbed = made.filter(({ disturbed }) => disturbed !== null).length;
  return sentences(
    readElsewhere(run),
    run.excludedStacks?.map(({ stack, reason }) => `Not measured: ${stack}: ${reason}`) ?? [],
    run.subjects.flatMap(({ subject, warning }) => (warning ? `${subject}: ${warning}` : [])),
    slowedByLogs(run),
    partOfPlan(source) ?? interrupted(run, progress),
    repeatedBlocksWarning(source),
    resumedDespiteDifferences(source),
    severalMachines(source),
    disturbedSentence(nDisturbed, made.length, experimentOf(run).attempt),
    fullSockets(source),
    experimentOf(run).cautions?.(made, run) ?? [],
    givenUpWarnings(run.arms, source.blocks, experimentOf(run)),
    lopsidedOverall(source),
    chosenAfterwards(run, analysis),
    comparisons.length === 0 &&
      `The run has one stack only: there is ${conditionPairs(run).length > 0 ? 'no other stack to compare it with; only its conditions are compared' : 'nothing to compare it with'}.`,
  );
}

const READ_TEXTS: Record<ImportedTable['dialect'], string> = {
  own: 'Only what that table holds is known: neither the machine, nor its programs, nor what else the path had.',
  jaeger:
    'Rows of one URL and one minute are pairs. The times end with the handshake, which by TLS over TCP is when the client may send; by QUIC it may have sent before, so QUIC looks slower here than to a client that waits for a response.',
};

/** The loads come from a file. */
function readElsewhere({ read, experiment }: WarningSource['run']): string | null {
  if (!read) return null;
  const [, several] = experimentOf({ experiment }).attempt;
  return `The ${several} were not made by this program: they were read from ${read.file} (${countWithNoun(read.rows, 'row')}). ${READ_TEXTS[read.dialect]}`;
}

/** Logs and samples slow one protocol more than the other. */
function slowedByLogs({ choices: { netLogs, tcpInfoMs } }: WarningSource['run']): string[] {
  return sentences(
    netLogs &&
      'Chromium wrote a NetLog of every load (--net-log), which slows QUIC more than TCP: it has a line for every QUIC packet and none for TCP’s. Compare protocols without it.',
    tcpInfoMs != null &&
      `In loads over TCP the servers’ kernel was sampled for TCP_INFO every ${tcpInfoMs} ms (--tcp-info), which took about 0.3 ms of processor time each; loads over QUIC had no samples.`,
  );
}

/** The user resumed despite changes. */
function resumedDespiteDifferences({ invocations }: WarningSource): string[] {
  return invocations.flatMap(({ startedAt, machine, differences }) =>
    differences.length === 0
      ? []
      : `The run was resumed at ${momentText(startedAt)} on ${machine} although it was not as it began: ${differences.join(' ')}`,
  );
}

/** Loads of different machines are never compared, but statistics of one stack may mix them. */
function severalMachines({ run, invocations, blocks }: WarningSource): string | null {
  const [, attempts] = experimentOf(run).attempt;
  const [site, sites] = experimentOf(run).site;
  const machines = machinesOf(invocations);
  if (machines.length < 2) return null;
  const counting = blocks.filter(({ machine }) => machine !== null);
  const isMixed = [...Map.groupBy(counting, siteKey).values()].some(
    (own) => new Set(own.map(({ machine }) => machine)).size > 1,
  );
  const nApart = blocks.filter(({ onSeveralMachines }) => onSeveralMachines).length;
  const names = machines.map(({ machine }) => machine).join(', ');
  const mixed = isMixed
    ? `Medians, means and other numbers of one stack on one ${site} mix the machines.`
    : `Each ${site} was measured on one machine only: between ${sites} lies the difference of their machines too.`;
  const apart =
    nApart > 0 &&
    `${countWithNoun(nApart, 'block')} with ${attempts} of several machines ${nApart === 1 ? 'is' : 'are'} excluded.`;
  const made = `The ${attempts} were made on ${machines.length} machines (${names}). Stacks are compared within blocks, and every block that counts lies on one machine.`;
  return sentences(made, mixed, apart).join(' ');
}

function siteKey({ subject, network, variant }: Block): string {
  return subjectConditionKey({ subject, network: { name: network }, variant });
}

/** Loads that met a full socket count: only loads over QUIC can meet one. */
function fullSockets({ run, blocks }: WarningSource): string[] {
  const loadsOf = Map.groupBy(
    blocks.flatMap(({ made }) => made),
    ({ arm }) => arm,
  );
  return run.arms.flatMap(
    ({ arm, label }) =>
      fullSocketsSentence(label, loadsOf.get(arm) ?? [], experimentOf(run).attempt) ?? [],
  );
}

/** Lopsided failures or exclusions over all conditions; with one condition, its answer reports them. */
function lopsidedOverall({ run, analysis, blocks, primary }: WarningSource): string[] {
  const conditions = new Set(
    primary.map(({ network, variant }) => conditionKey({ network, variant })),
  );
  if (conditions.size < 2) return [];
  const metric = verdictMetric({ ...run, analysis });
  const settings = { metric, experiment: experimentOf(run) };
  return plannedPairs(run, analysis.pairs).flatMap(([arm, baseline]) =>
    lopsidedNotes({ arm, baseline }, blocks, settings).map(
      (note) => `Over all conditions: ${note}`,
    ),
  );
}

/** Blocks that further workers repeated after one was lost. */
function repeatedBlocksWarning({ run, superseded }: WarningSource): string | null {
  if (superseded.length === 0) return null;
  const [attempt, attempts] = experimentOf(run).attempt;
  const blocks = new Set(superseded.map(blockKey)).size;
  const outcomes = Map.groupBy(superseded, ({ outcome }) => outcome);
  const texts = [...outcomes].map(([outcome, loads]) => `${loads.length} ${outcome}`);
  return `${countWithNoun(blocks, 'block')} ${blocks === 1 ? 'was' : 'were'} begun again because a worker was lost. Of each, the first attempt in which every ${attempt} was made counts; ${countWithNoun(superseded.length, attempt, attempts)} of other attempts (${texts.join(', ')}) ${superseded.length === 1 ? 'is' : 'are'} only in ${run.recordFile}.`;
}

/** A shard has too few loads for the answers of its plan. */
function partOfPlan({ run, progress, invocations }: WarningSource): string | null {
  const [part, other] = new Set(invocations.map((each) => each.part));
  if (progress.complete || other !== undefined || !part?.startsWith('shard ')) return null;
  const { plannedPageLoads, donePageLoads } = progress;
  return `This is ${part} of its plan, with ${donePageLoads} of ${countWithNoun(plannedPageLoads, ...experimentOf(run).attempt)}. Put the parts together by npm run merge before relying on the answers.`;
}

function interrupted(run: WarningSource['run'], progress: Progress): string | null {
  if (progress.complete) return null;
  const { plannedPageLoads, donePageLoads, plannedWarmups, doneWarmups } = progress;
  const [one, several] = experimentOf(run).attempt;
  return run.stopping
    ? `The run ended early: ${countWithNoun(donePageLoads, one, several)} and ${countWithNoun(doneWarmups, 'warm-up')} were made, and it would have gone on.`
    : `The run ended before its plan did: ${donePageLoads} of ${plannedPageLoads} ${several} and ${doneWarmups} of ${plannedWarmups} warm-ups were made.`;
}

function chosenAfterwards(
  run: Pick<RunRecord, 'experiment' | 'analysis' | 'arms'>,
  used: ChosenAnalysis,
): string | null {
  const partsOf = ({
    marginPercent,
    metric,
    baseline: usual,
    pairs,
  }: Pick<ChosenAnalysis, keyof AnalysisPlan | 'pairs'>) => {
    const further = pairs.filter(({ baseline }) => baseline !== usual);
    const twins = further.map(({ arm, baseline }) => `${baseline} for ${arm}`).join(', ');
    const { phrase } = verdictMetric({ experiment: run.experiment, analysis: { metric } });
    return [
      ['baseline', `${usual}${twins && ` (${twins})`}`],
      ['margin', `${decimalText(marginPercent)} %`],
      ['metric', phrase],
    ] as const;
  };
  const planned = partsOf({ ...run.analysis, pairs: pairNames(run) });
  const changed = partsOf(used).flatMap(([name, text], place) => {
    const before = planned[place]?.[1] ?? '';
    return text === before ? [] : [{ name, text, before }];
  });
  if (changed.length === 0) return null;
  const listed = (key: keyof (typeof changed)[number]) =>
    AND.format(changed.map((each) => each[key]));
  return `${capitalize(listed('name'))} ${changed.length === 1 ? 'was' : 'were'} chosen after the run: ${listed('text')}, where the plan had ${listed('before')}. A choice made in knowledge of the results can decide the verdicts.`;
}
