import { dimensionsOf } from '../../../ground/records/dimensions.ts';
import { variantsOf } from '../../../ground/records/factors.ts';
import type { NetworkCondition } from '../../../ground/records/network.ts';
import type { PlannedArm, RunRecord } from '../../../ground/records/run.ts';
import type { SummaryRow } from '../../../report/summary/rows.ts';
import { mean } from '../../../statistics/mean.ts';
import { median } from '../../../statistics/median.ts';
import { type AddedCost, addedCost, muchFaster, type SiteCount, shortening } from './findings.ts';
import {
  PUBLISHED_DELAYS_MS,
  type PublishedAverage,
  type PublishedDelayMs,
  type PublishedProtocol,
  type PublishedTime,
  readPublishedAverages,
  readPublishedTimes,
} from './published-numbers.ts';

export const PUBLISHED_PROTOCOLS = ['quic', 'https'] as const;

type PerProtocol<T> = Record<PublishedProtocol, T>;

export interface Means {
  meanMs: Record<PublishedDelayMs, number | null>;
  /** null: a mean is missing. */
  added: AddedCost | null;
}

export interface PublishedMeans extends Means {
  /** As the report prints it; null: not published. */
  printed: Record<PublishedDelayMs, string | null>;
  /** Mean of the loads behind an average without delay that was cut instead of rounded up; null: not cut. */
  cutFromMs: number | null;
}

export interface SiteComparison {
  subject: string;
  published: PerProtocol<PublishedMeans>;
  ours: PerProtocol<Means>;
}

export interface SitesOverall {
  /** "More than 50 % faster". */
  muchFaster: Record<PublishedDelayMs, SiteCount>;
  addedRoundTrips: PerProtocol<{ median: number | null; nSites: number }>;
}

export interface PublishedComparison {
  /** The stack of the run for each side; null: missing. */
  arms: PerProtocol<PlannedArm | null>;
  /** In the order published. */
  subjects: SiteComparison[];
  published: SitesOverall;
  ours: SitesOverall;
  /** Ours, limited to the published sites and delays. */
  oursAsPublished: SitesOverall;
}

type MeasuredRun = Pick<RunRecord, 'arms' | 'networks' | 'factors'>;

/** Compares the means of a run's counted loads with the published ones. Sites and networks that the run lacks are null. */
export function compareWithPublished(
  run: MeasuredRun,
  rows: readonly SummaryRow[],
): PublishedComparison {
  const arms = { quic: stackFor(run, ['h3']), https: stackFor(run, TCP_PROTOCOLS) };
  const averages = Map.groupBy(readPublishedAverages(), ({ subject }) => subject);
  const times = Map.groupBy(readPublishedTimes(), ({ subject }) => subject);
  const subjects = [...averages].map(
    ([subject, ofSite]): SiteComparison => ({
      subject,
      published: perProtocol((protocol) =>
        publishedMeans(
          ofSite.filter(isOf(protocol)),
          (times.get(subject) ?? []).filter(isOf(protocol)),
        ),
      ),
      ours: perProtocol((protocol) =>
        means((delayMs) => meanOf(run, rows, { subject, arm: arms[protocol], delayMs })),
      ),
    }),
  );
  return {
    arms,
    subjects,
    published: overSites(subjects.map(({ published }) => published)),
    ours: overSites(subjects.map(({ ours }) => ours)),
    oursAsPublished: overSites(
      subjects.map(({ published, ours }) =>
        perProtocol((protocol) =>
          means((delayMs) =>
            published[protocol].meanMs[delayMs] === null ? null : ours[protocol].meanMs[delayMs],
          ),
        ),
      ),
    ),
  };
}

/** The nearest to the published HTTPS first. */
const TCP_PROTOCOLS: readonly PlannedArm['protocol'][] = ['http/1.0', 'http/1.1', 'h2'];

function stackFor(
  { arms }: MeasuredRun,
  protocols: readonly PlannedArm['protocol'][],
): PlannedArm | null {
  const own = arms.filter(({ controlOf }) => controlOf === null);
  const [first] = protocols.flatMap((protocol) => own.filter((arm) => arm.protocol === protocol));
  return first ?? null;
}

function isOf(protocol: PublishedProtocol) {
  return (each: { protocol: PublishedProtocol }) => each.protocol === protocol;
}

function publishedMeans(
  averages: readonly PublishedAverage[],
  times: readonly PublishedTime[],
): PublishedMeans {
  const at = (delayMs: PublishedDelayMs) => averages.find((each) => each.delayMs === delayMs);
  const values = times.map(({ documentTimeMs }) => documentTimeMs);
  const printed = perDelay((delayMs) => at(delayMs)?.printed ?? null);
  const isCut = printed[0] !== null && shortening(printed[0], values) === 'cut';
  return {
    ...means((delayMs) => at(delayMs)?.meanMs ?? null),
    printed,
    cutFromMs: isCut ? mean(values) : null,
  };
}

function meanOf(
  run: MeasuredRun,
  rows: readonly SummaryRow[],
  { subject, arm, delayMs }: { subject: string; arm: PlannedArm | null; delayMs: PublishedDelayMs },
): number | null {
  const network = run.networks.find((each) => each.rttMs === delayMs && isDelayAlone(each));
  const row = rows.find(
    (each) =>
      each.subject === subject &&
      each.arm === arm?.arm &&
      each.network.name === network?.name &&
      each.variant === variantsOf(run)[0],
  );
  return row?.metrics.documentMs?.mean ?? null;
}

/** The report only delayed packets. */
function isDelayAlone(network: NetworkCondition) {
  return dimensionsOf(network).every(({ row }) => row.field === 'rttMs');
}

function means(meanOfDelay: (delayMs: PublishedDelayMs) => number | null): Means {
  const meanMs = perDelay(meanOfDelay);
  const [without, delayed] = [meanMs[0], meanMs[30]];
  return {
    meanMs,
    added: without === null || delayed === null ? null : addedCost(without, delayed, 30),
  };
}

function overSites(subjects: readonly PerProtocol<Means>[]): SitesOverall {
  return {
    muchFaster: perDelay((delayMs) =>
      muchFaster(
        subjects.flatMap(({ quic, https }): [number, number][] => {
          const [quicMs, httpsMs] = [quic.meanMs[delayMs], https.meanMs[delayMs]];
          return quicMs === null || httpsMs === null ? [] : [[quicMs, httpsMs]];
        }),
      ),
    ),
    addedRoundTrips: perProtocol((protocol) => {
      const roundTrips = subjects.flatMap((subject) => subject[protocol].added?.roundTrips ?? []);
      return { median: median(roundTrips), nSites: roundTrips.length };
    }),
  };
}

function perProtocol<T>(of: (protocol: PublishedProtocol) => T): PerProtocol<T> {
  return { quic: of('quic'), https: of('https') };
}

function perDelay<T>(of: (delayMs: PublishedDelayMs) => T): Record<PublishedDelayMs, T> {
  const [none, delayed] = PUBLISHED_DELAYS_MS;
  return { [none]: of(none), [delayed]: of(delayed) };
}
