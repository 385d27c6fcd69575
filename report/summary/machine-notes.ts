import { type Experiment, numberOf } from '../../ground/experiment.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { PlannedArm } from '../../ground/records/run.ts';
import { countText, countWithNoun, decimalText } from '../../kit/text/number.ts';
import { sentences } from '../../kit/text/sentences.ts';
import { median } from '../../statistics/median.ts';
import type { Block } from './blocks.ts';

export type NamedPair = Record<'arm' | 'baseline', Pick<PlannedArm, 'arm' | 'label'>>;

export function machineNotes(
  pair: NamedPair,
  blocks: readonly Block[],
  experiment: Pick<Experiment, 'attempt' | 'metrics'>,
): string[] {
  const { attempt } = experiment;
  const measured = blocks.flatMap(({ made }) => made);
  const fullSockets = ({ arm, label }: NamedPair['arm']) => {
    const own = measured.filter((load) => load.arm === arm);
    return fullSocketsSentence(label, own, attempt);
  };
  return sentences(
    fullSockets(pair.arm),
    fullSockets(pair.baseline),
    cpuPressureSentence(pair, blocks),
    linkCpuSentence(pair, blocks, experiment),
  );
}

/**
 * From this difference in percentage points on, two stacks met different CPU pressure. Ten points are a tenth of the load's
 * time in which something waited for a core. Only part of that delays the page, so less hardly matters at a margin of 5 %.
 */
const DIFFERENT_POINTS = 10;

/** Which of two stacks met more CPU pressure, as a sentence; null: neither did, or it is not known. */
function cpuPressureSentence(
  { arm, baseline }: NamedPair,
  blocks: readonly Block[],
): string | null {
  const pairs = blocks.flatMap(({ loads }) => {
    const [pressure, ofBaseline] = [arm, baseline].map(
      (stack) => loads.get(stack.arm)?.machine?.cpuPressurePercent,
    );
    return pressure == null || ofBaseline == null ? [] : [[pressure, ofBaseline] as const];
  });
  const percent = median(pairs.map(([pressure]) => pressure));
  const ofBaselinePercent = median(pairs.map(([, pressure]) => pressure));
  if (percent === null || ofBaselinePercent === null) return null;
  if (Math.abs(percent - ofBaselinePercent) <= DIFFERENT_POINTS) return null;
  const [[more, morePercent], [less, lessPercent]] =
    percent > ofBaselinePercent
      ? [[arm, percent] as const, [baseline, ofBaselinePercent] as const]
      : [[baseline, ofBaselinePercent] as const, [arm, percent] as const];
  return `${more.label} met more CPU pressure than ${less.label} (median ${decimalText(morePercent, 0)} % against ${decimalText(lessPercent, 0)} %): part of the result may be due to this machine.`;
}

/** From this share of a load's time on, processor time of the link on shared cores may be part of a result. */
const LINK_CPU_SHARE = 0.02;

/**
 * The stack for which the user-space link worked more, as a sentence; null: no such stack, or not known. A router costs a
 * visitor no processor time, but the link runs on the cores of browser and servers.
 */
function linkCpuSentence(
  { arm, baseline }: NamedPair,
  blocks: readonly Block[],
  { attempt: [one], metrics: [first] }: Pick<Experiment, 'attempt' | 'metrics'>,
): string | null {
  if (first?.unit !== 'ms') return null;
  const pairs = blocks.flatMap(({ loads }) => {
    const [load, other] = [loads.get(arm.arm), loads.get(baseline.arm)];
    const [ms, ofBaselineMs] = [load?.path?.linkCpuMs, other?.path?.linkCpuMs];
    const tookMs = other && numberOf(other, first);
    return ms == null || ofBaselineMs == null || !tookMs
      ? []
      : [{ ms, ofBaselineMs, share: (ms - ofBaselineMs) / tookMs }];
  });
  const share = median(pairs.map((each) => each.share));
  const ms = median(pairs.map((each) => each.ms));
  const ofBaselineMs = median(pairs.map((each) => each.ofBaselineMs));
  if (share === null || ms === null || ofBaselineMs === null) return null;
  if (Math.abs(share) <= LINK_CPU_SHARE) return null;
  const [more, less] = share > 0 ? [arm, baseline] : [baseline, arm];
  return `The link itself took more processor time for ${more.label} than for ${less.label}: ${decimalText(Math.max(ms, ofBaselineMs), 1)} against ${decimalText(Math.min(ms, ofBaselineMs), 1)} ms per ${one} (medians), a difference of ${decimalText(100 * Math.abs(share), 1)} % of the ${first.phrase}. Part of the result may be due to this machine: a real link has no such cost.`;
}

/**
 * Loads of a stack in which the kernel dropped datagrams at a full UDP socket, as a sentence; null: no such load. Uses all
 * measured loads: failed ones may be the very loads that met a full socket.
 */
export function fullSocketsSentence(
  label: string,
  measured: readonly Observation[],
  attempt: Experiment['attempt'],
): string | null {
  const drops = measured
    .map(({ machine }) => machine?.udpReceiveBufferErrors ?? 0)
    .filter((count) => count > 0);
  if (drops.length === 0) return null;
  const dropped = drops.reduce((sum, count) => sum + count, 0);
  return `In ${countText(drops.length)} of ${countWithNoun(measured.length, ...attempt)} of ${label} the kernel dropped datagrams at a full UDP socket (${countText(dropped)} in all). QUIC takes them for losses: increase net.core.rmem_max if npm run doctor finds it too low.`;
}

/** From a tenth on, the result without disturbed loads has clearly less evidence. */
const DISTURBED_SHARE = 0.1;

/** Share of a run during which other programs used the machine, as a sentence; null: little or no share. */
export function disturbedSentence(
  nDisturbed: number,
  nMeasured: number,
  [one, several]: Experiment['attempt'],
): string | null {
  if (nDisturbed === 0 || nDisturbed < DISTURBED_SHARE * nMeasured) return null;
  const how =
    nDisturbed === nMeasured
      ? `all ${countText(nMeasured)} ${several}`
      : `${countText(nDisturbed)} of ${countWithNoun(nMeasured, one, several)}`;
  return `Other programs were using this machine during ${how} and affected the times. Stop them and measure again before relying on these results.`;
}
