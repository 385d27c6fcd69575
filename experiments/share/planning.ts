import { isDeepStrictEqual } from 'node:util';
import type { RunValues } from '../../ground/options/benchmark.ts';
import { MIXES_BY_DEFAULT, RTT_OF_FLOWS_MS } from './options.ts';
import type { FlowChoices, Mix } from './records.ts';
import { type AskedNetwork, limitKbps } from '../../ground/records/network.ts';
import { isOverTcp } from '../../ground/records/protocol.ts';
import { settingsUnder } from '../../ground/records/run.ts';
import type { Stack } from '../../ground/stack.ts';
import { UsageError } from '../../ground/system/errors.ts';
import { networksOf } from '../../runner/network-options.ts';

/** Samples of the link end after ten minutes. */
const MOST_MS = 600_000;

/**
 * What holds for all mixes of a run.
 * @throws UsageError for flows that take too long to begin
 */
export function flowChoicesOf(values: RunValues): FlowChoices {
  const choices = {
    mixes: [...mixesOf(values)],
    durationMs: 1000 * values.duration,
    startGapMs: 1000 * values['start-gap'],
  };
  const longestMs = Math.max(...choices.mixes.map((mix) => trialMs(mix, choices)));
  if (longestMs <= MOST_MS) return choices;
  throw new UsageError(
    `--duration ${choices.durationMs / 1000} with --start-gap ${choices.startGapMs / 1000}: the flows of a mix would take ${longestMs / 1000} s, expected at most ${MOST_MS / 1000} s. Give a shorter one, or fewer flows.`,
  );
}

/** How long a mix takes from its first flow on, in ms. */
function trialMs({ flows }: Mix, { durationMs, startGapMs }: Omit<FlowChoices, 'mixes'>): number {
  const count = flows.reduce((sum, each) => sum + each.flows, 0);
  return (count - 1) * startGapMs + durationMs;
}

/** How long a mix takes at most, by one of its arms. */
export function expectedArmMs({ mixes, ...choices }: FlowChoices): number {
  return Math.max(...mixes.map((mix) => trialMs(mix, choices) / mix.flows.length));
}

/**
 * All flows of a mix go over one path at once, whose TCP can be one thing only.
 * @throws UsageError where stacks of one are to have different ones
 */
export function assertOneTcp(
  { mixes }: FlowChoices,
  stacks: readonly Stack[],
  networks: readonly AskedNetwork[],
): void {
  for (const { flows } of mixes) {
    const [first, ...others] = stacks.filter(
      (each) => isOverTcp(each.protocol) && flows.some(({ stack }) => stack === each.stack),
    );
    if (!first) continue;
    const other = others.find((each) =>
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
      `--flows: ${first.stack} and ${other.stack} are in one mix, and their QUIC twins differ in initial window or congestion control. All flows of a mix share a path, which has one setting of TCP. Use --initcwnd stock and no --cc matched, or put them into different mixes.`,
    );
  }
}

/** The stacks of all mixes, each once. */
export function stacksOfFlows(values: RunValues): string[] {
  const stacks = mixesOf(values).flatMap(({ flows }) => flows.map(({ stack }) => stack));
  return [...new Set(stacks)];
}

function mixesOf({ flows }: Pick<RunValues, 'flows'>): readonly Mix[] {
  return flows ?? MIXES_BY_DEFAULT;
}

/**
 * The conditions that flows share, each with a limited rate towards the client.
 * @throws UsageError where nothing is limited
 */
export function bottlenecksOf(values: RunValues): AskedNetwork[] {
  const rtt = values.rtt ?? (values.network === null ? RTT_OF_FLOWS_MS : null);
  const networks = networksOf({ ...values, rtt });
  const unlimited = networks.find((network) => limitKbps(network, 'toClient') === null);
  if (unlimited === undefined) return networks;
  throw new UsageError(
    `The network ${unlimited.name} has no limited rate towards the client, so that its flows would share nothing but this machine. Add --down KBIT, for example --down 10000, or --trace FILE.`,
  );
}
