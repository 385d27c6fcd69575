import { isDeepStrictEqual } from 'node:util';
import type { RunValues } from '../../ground/options/common.ts';
import { limitKbps, type NetworkCondition } from '../../ground/records/network.ts';
import { requiredChoices } from '../../ground/records/own-choices.ts';
import { isOverTcp } from '../../ground/records/protocol.ts';
import { type PlanRecord, settingsUnder } from '../../ground/records/run.ts';
import { shortJson } from '../../ground/records/schema-check.ts';
import type { Stack } from '../../ground/stack.ts';
import { UsageError } from '../../ground/system/errors.ts';
import { shellWord } from '../../ground/system/shell-word.ts';
import type { Planning } from '../planning.ts';
import { type FLOW_OPTIONS, MIXES_BY_DEFAULT, mixOfServer, RTT_OF_FLOWS_MS } from './options.ts';
import { FLOW_CHOICES, type FlowChoices, type Mix, MOST_FLOWS } from './records.ts';
import { FAIR_FOR_MS, FAIR_REPORTED_FROM_MS } from './sharing.ts';

/** Longest trial: samples of the link end after ten minutes. */
const MOST_MS = 600_000;

type FlowValues = RunValues<typeof FLOW_OPTIONS>;

/**
 * @throws UsageError for flows that take too long
 */
function flowChoicesOf(values: FlowValues): FlowChoices {
  const choices = {
    mixes: [...mixesOf(values)],
    durationMs: 1000 * values.duration,
    startGapMs: 1000 * values['start-gap'],
  };
  const longestMs = Math.max(...choices.mixes.map((mix) => trialMs(mix, choices)));
  if (longestMs <= MOST_MS) return choices;
  throw new UsageError(
    `--duration ${choices.durationMs / 1000} with --start-gap ${choices.startGapMs / 1000}: the flows of a mix would take ${longestMs / 1000} s, expected at most ${MOST_MS / 1000} s. Use a shorter duration or gap, or fewer flows.`,
  );
}

/** Duration of a mix, in ms. */
function trialMs({ flows }: Mix, { durationMs, startGapMs }: Omit<FlowChoices, 'mixes'>): number {
  const count = flows.reduce((sum, each) => sum + each.flows, 0);
  return (count - 1) * startGapMs + durationMs;
}

/** The longest duration of a mix, divided by the number of its arms, in ms. */
function expectedArmMs({ mixes, ...choices }: FlowChoices): number {
  return Math.max(...mixes.map((mix) => trialMs(mix, choices) / mix.flows.length));
}

/**
 * All flows of a mix share one path, which has one setting of TCP.
 * @throws UsageError for stacks of a mix with different settings
 */
export function assertOneTcp(
  { mixes }: FlowChoices,
  stacks: readonly Stack[],
  networks: readonly NetworkCondition[],
): void {
  for (const { flows } of mixes) {
    const [first, ...rest] = stacks.filter(
      (each) => isOverTcp(each.protocol) && flows.some(({ stack }) => stack === each.stack),
    );
    if (!first) continue;
    const other = rest.find((each) =>
      networks.some(
        (network) =>
          !isDeepStrictEqual(
            settingsUnder(each, network) ?? {},
            settingsUnder(first, network) ?? {},
          ),
      ),
    );
    if (!other) continue;
    throw new UsageError(
      `--flows: ${first.stack} and ${other.stack} are in one mix, but their QUIC twins differ in initial window or congestion control, and all flows of a mix share one setting of TCP. Use --initcwnd stock without --cc matched, or put them into different mixes.`,
    );
  }
}

function stacksOfFlows(values: FlowValues): string[] {
  const stacks = mixesOf(values).flatMap(({ flows }) => flows.map(({ stack }) => stack));
  return [...new Set(stacks)];
}

function mixesOf({ flows, server }: Pick<FlowValues, 'flows' | 'server'>): readonly Mix[] {
  return flows ?? server?.map(({ name }) => mixOfServer(name)) ?? MIXES_BY_DEFAULT;
}

/**
 * Conditions with a limited rate towards the client.
 * @throws UsageError for a condition without one
 */
function bottlenecksOf(
  values: FlowValues,
  networksOf: (values: RunValues) => NetworkCondition[],
): NetworkCondition[] {
  const rtt = values.rtt ?? (values.network === null ? RTT_OF_FLOWS_MS : null);
  const networks = networksOf({ ...values, rtt });
  const unlimited = networks.find((network) => limitKbps(network, 'toClient') === null);
  if (unlimited === undefined) return networks;
  throw new UsageError(
    `The network ${unlimited.name} has no limited rate towards the client, so its flows would share only this machine. Add --down KBIT, for example --down 10000, or --trace FILE.`,
  );
}

/** File that flows download repeatedly, so large that they seldom need another request. */
const FLOW_SIZE = '100MB';

export function flowsOf(plan: Parameters<typeof requiredChoices>[0]): FlowChoices {
  return requiredChoices(plan, FLOW_CHOICES);
}

/** The arms of a mix, and their controls. */
function armsOfMix(subject: string, { mixes }: FlowChoices, stacks: readonly Stack[]): string[] {
  const own = mixes.find((mix) => mix.subject === subject)?.flows ?? [];
  const names = new Set(own.map(({ stack }) => stack));
  return stacks.flatMap(({ stack, controlOf }) => (names.has(controlOf ?? stack) ? [stack] : []));
}

function problemOfFlows(plan: PlanRecord): string | null {
  const { mixes } = flowsOf(plan);
  const stacks = plan.arms.map(({ stack }) => stack);
  for (const [index, { subject }] of plan.subjects.entries()) {
    const mix = mixes.find((each) => each.subject === subject);
    const all = mix?.flows.reduce((sum, each) => sum + each.flows, 0) ?? 0;
    const unknown = mix?.flows.find(({ stack }) => !stacks.includes(stack));
    if (unknown) {
      return `choices.flows has ${shortJson(unknown.stack)}, expected one of ${stacks.join(', ')}`;
    }
    if (all < 2 || all > MOST_FLOWS) {
      return `subjects[${index}] has ${all} flows, expected 2 to ${MOST_FLOWS}`;
    }
  }
  return null;
}

function shortFlowNotices(plan: PlanRecord): string[] {
  const { durationMs } = flowsOf(plan);
  if (durationMs >= FAIR_REPORTED_FROM_MS) return [];
  return [
    `--duration ${durationMs / 1000} is too short to decide whether flows become fair, which takes a fair share for ${FAIR_FOR_MS / 1000} s. Use ${FAIR_REPORTED_FROM_MS / 1000} or more, better 30.`,
  ];
}

/** Mixes of several stacks in which no stack meets the one that it is compared with. */
function uncomparedNotices(plan: PlanRecord): string[] {
  const { arms, analysis } = plan;
  return flowsOf(plan).mixes.flatMap(({ subject, flows }) => {
    const own = flows.map(({ stack }) => stack);
    const isCompared = ({ stack, comparedWith = analysis.baseline }: PlanRecord['arms'][number]) =>
      own.includes(stack) && comparedWith !== stack && own.includes(comparedWith);
    const [first] = own;
    return first === undefined || own.length < 2 || arms.some(isCompared)
      ? []
      : [
          `${subject}: its stacks are not compared with each other, but with ${analysis.baseline}. Use --baseline ${shellWord(first)}, or another stack of these flows.`,
        ];
  });
}

export const planning: Planning = {
  choices: (values: FlowValues) => flowChoicesOf(values),
  subjects: (values: FlowValues) => mixesOf(values).map(({ subject }) => subject),
  async find(_names, choices) {
    const { subjectsOfSizes } = await import('../subjects.ts');
    const [site] = await subjectsOfSizes([FLOW_SIZE]);
    if (!site) throw new Error('no site to download from');
    return flowsOf({ choices }).mixes.map(({ subject }) => ({
      ...site,
      planned: { ...site.planned, subject },
    }));
  },
  makesSubjects: true,
  stacks: stacksOfFlows,
  armsAt: ({ subject }, choices, stacks) => armsOfMix(subject, flowsOf({ choices }), stacks),
  networks: bottlenecksOf,
  assertCompatible: (values: FlowValues, arms, networks) =>
    assertOneTcp(flowChoicesOf(values), arms, networks),
  expectedMs: (choices) => expectedArmMs(flowsOf({ choices })),
  samplesSenders: true,
  problem: problemOfFlows,
  notices: (plan) => [...uncomparedNotices(plan), ...shortFlowNotices(plan)],
};
