import { blockKey } from '../../ground/records/cell.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import { median } from '../../statistics/median.ts';
import type { PageLoad } from './details.ts';
import type { LiveDetails } from './live-record.ts';
import { livePagesOf } from './options.ts';

type Requests = LiveDetails['requests'];

/** Comparison of the contents of two loads of one block. */
export interface LivePair {
  subject: string;
  arm: string;
  baseline: string;
  block: number;
  /** Common requests of both loads, twice, over all their requests (0 to 1; Dice 1945, doi:10.2307/1932409). */
  requestsShare: number;
  /** Common bytes, twice, over all bytes (0 to 1); a common request has the smaller number of bytes in common. */
  bytesShare: number;
  /** Requests that the arm's load has more often. */
  onlyArm: string[];
  onlyBaseline: string[];
}

/** Loads with less in common are loads of different pages. */
export const LEAST_COMMON_SHARE = 0.9;

/** Whether the contents of a pair differ so much that they affect the comparison. */
export function differsMuch({ requestsShare, bytesShare }: LivePair): boolean {
  return Math.min(requestsShare, bytesShare) < LEAST_COMMON_SHARE;
}

/** Pairs each successful load of a live page with the baseline's in its block, if both have complete lists of requests. */
export function livePairs(
  loads: readonly Observation[],
  { arms, analysis }: Pick<RunRecord, 'arms' | 'analysis'>,
): LivePair[] {
  const blocks = Map.groupBy(
    (loads as readonly PageLoad[]).filter(({ outcome, warmup }) => outcome === 'ok' && !warmup),
    blockKey,
  );
  return [...blocks.values()].flatMap((own) =>
    own.flatMap((load) => {
      const planned = arms.find(({ arm }) => arm === load.arm);
      const baseline = planned?.controlOf ?? planned?.comparedWith ?? analysis.baseline;
      const other = own.find(({ arm }) => arm === baseline && arm !== load.arm);
      const [a, b] = [load.details?.live, other?.details?.live];
      if (!a || !b || a.requestsCut || b.requestsCut) return [];
      const { subject, arm, block } = load;
      return [{ subject, arm, baseline, block, ...commonOf(a.requests, b.requests) }];
    }),
  );
}

function commonOf(
  ofArm: Requests,
  ofBaseline: Requests,
): Pick<LivePair, 'requestsShare' | 'bytesShare' | 'onlyArm' | 'onlyBaseline'> {
  const common = (of: 'count' | 'bytes') =>
    Object.entries(ofArm).reduce(
      (sum, [request, own]) => sum + Math.min(own[of], ofBaseline[request]?.[of] ?? 0),
      0,
    );
  const all = (of: 'count' | 'bytes') =>
    [...Object.values(ofArm), ...Object.values(ofBaseline)].reduce(
      (sum, each) => sum + each[of],
      0,
    );
  const share = (of: 'count' | 'bytes') => (all(of) === 0 ? 1 : (2 * common(of)) / all(of));
  return {
    requestsShare: share('count'),
    bytesShare: share('bytes'),
    onlyArm: moreIn(ofArm, ofBaseline),
    onlyBaseline: moreIn(ofBaseline, ofArm),
  };
}

function moreIn(one: Requests, other: Requests): string[] {
  return Object.entries(one).flatMap(([request, { count }]) =>
    count > (other[request]?.count ?? 0) ? [request] : [],
  );
}

/** Caveats of verdicts on pages whose content differs between loads, as sentences. */
export function liveCautions(
  loads: readonly Observation[],
  run: Pick<RunRecord, 'arms' | 'analysis' | 'choices'>,
): string[] {
  if (!livePagesOf(run)) return [];
  const pairs = Map.groupBy(livePairs(loads, run), ({ subject }) => subject);
  return [...pairs].flatMap(([subject, own]) => {
    const differing = own.filter(differsMuch);
    if (2 * differing.length < own.length) return [];
    const percent = (of: 'requestsShare' | 'bytesShare') =>
      `${Math.floor(100 * (median(own.map((each) => each[of])) ?? 0))} %`;
    return [
      `The content of ${subject} differs between loads: in ${differing.length} of ${own.length} ${own.length === 1 ? 'pair' : 'pairs'} less than ${100 * LEAST_COMMON_SHARE} % was common to both (median: ${percent('requestsShare')} of the requests, ${percent('bytesShare')} of the bytes). Part of a difference may come from the content, not from the protocol.`,
    ];
  });
}
