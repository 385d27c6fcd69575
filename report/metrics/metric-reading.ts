import type { PageLoad, TimingsMs } from '../../records/page-load.ts';
import type { MetricReading } from './metric.ts';

/** A load's value, or the reason where the record has none. */
export function reading(value: number | null | undefined, reason: string): MetricReading {
  return value === null || value === undefined ? { value: null, reason } : { value, reason: null };
}

/** A timing of the load; a load that failed has none for that reason, another one for the reason given. */
export function timingReading(
  load: PageLoad,
  name: keyof TimingsMs,
  reason: string,
): MetricReading {
  return reading(load.timingsMs[name], load.outcome === 'failed' ? FAILED : reason);
}

/** What was counted from the load's HAR. */
export function trafficReading(
  load: PageLoad,
  of: (traffic: NonNullable<PageLoad['traffic']>) => number | null,
  reason: string = NO_HAR,
): MetricReading {
  return load.traffic === null ? reading(null, NO_HAR) : reading(of(load.traffic), reason);
}

const FAILED = 'the load failed';
export const NO_HAR = 'the load has no HAR';
