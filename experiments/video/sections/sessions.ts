import { metricNamed, numberOf, worsening } from '../../../ground/experiment.ts';
import { medianLoad } from '../../../ground/records/median-load.ts';
import type { Observation } from '../../../ground/records/observation.ts';
import type { RunView } from '../../run-view.ts';
import { video } from '../experiment.ts';
import type { VideoDetails } from '../records.ts';

export type Session = Observation<VideoDetails> & { details: VideoDetails };

export type Condition = RunView['conditions'][number];

export interface VideoSessions {
  video: string;
  /** By arm. */
  sessions: ReadonlyMap<string, readonly Session[]>;
}

export function videosOf(
  { counted }: Pick<RunView, 'counted'>,
  { loads }: Pick<Condition, 'loads'>,
): VideoSessions[] {
  const own = (loads as readonly Observation<VideoDetails>[]).filter(
    (each): each is Session => counted.has(each.id) && each.details !== null,
  );
  return [...Map.groupBy(own, ({ subject }) => subject)].map(([name, sessions]) => ({
    video: name,
    sessions: Map.groupBy(sessions, ({ arm }) => arm),
  }));
}

/** The session with the median of the main metric; null: no session has a value. */
export function medianSession(
  { metric: { name } }: Pick<RunView, 'metric'>,
  sessions: readonly Session[],
): Session | null {
  const metric = metricNamed(video, name);
  const judged = sessions.flatMap((session) => {
    const value = numberOf(session, metric);
    return value === null ? [] : [{ session, value: worsening(value, metric) }];
  });
  return medianLoad(judged)?.session ?? null;
}

/** The report of the `<video>` element, the source of most metrics. */
export function elementReportOf({
  details: { told },
}: Session): VideoDetails['told'][number] | null {
  return told.find(({ by }) => by === 'element') ?? null;
}
