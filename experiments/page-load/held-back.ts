import { browserKind } from '../../ground/browser-kind.ts';
import { isLiveRun } from '../../ground/records/network.ts';
import type { Observation } from '../../ground/records/observation.ts';
import { isOverQuic } from '../../ground/records/protocol.ts';
import type { PlanRecord, RunRecord } from '../../ground/records/run.ts';
import { AND } from '../../kit/text/sentences.ts';
import type { PageLoad } from './details.ts';

/*
 * Chromium sends a host few requests at the same time, as by HTTP/1.1, until it knows that the host multiplexes: by a connection
 * of its own over HTTP/2, or by an announcement of HTTP/3.
 */

/** Warns where hosts join the connections of another host, and so stay unknown. */
export function sharedHostsNotices({ subjects, arms, choices }: PlanRecord): string[] {
  const joined = arms.filter(
    ({ client, protocol, own, settings }) =>
      browserKind(client) === 'chromium' &&
      protocol === 'h2' &&
      ({ ...choices, ...settings }.origins === 'shared' || own?.url !== undefined),
  );
  if (joined.length === 0 || subjects.every(({ hosts }) => hosts < 2)) return [];
  return [
    `Hosts of a page share connections over HTTP/2 (${AND.format(joined.map(({ arm }) => arm))}). Chromium holds back requests to hosts that have no connection of their own, and less so over HTTP/3: HTTP/2 may look slower than it is. The verdict has the most requests at the same time.`,
  ];
}

/** Warns of stacks over HTTP/3 that do not announce it. */
export function unannouncedCautions(loads: readonly Observation[], run: RunRecord): string[] {
  if (isLiveRun(run)) return [];
  const versionsOf = (arm: string) =>
    (loads as readonly PageLoad[]).flatMap(({ arm: own, outcome, details }) =>
      own === arm && outcome === 'ok' ? (details?.versions ?? []) : [],
    );
  const inChromium = run.arms.filter(({ client }) => browserKind(client) === 'chromium');
  return inChromium.flatMap(({ arm, label, protocol }) => {
    const versions = versionsOf(arm);
    const isUnannounced =
      isOverQuic(protocol) &&
      versions.length > 0 &&
      versions.every(({ advertisedH3, responses }) => !advertisedH3 && responses.h3 !== undefined);
    return isUnannounced
      ? [
          `${label} sends no alt-svc over HTTP/3, so Chromium held requests back as for HTTP/1.1, and it looks slower than it is. Visitors who discovered HTTP/3 by Alt-Svc have no such limit. Have the server send alt-svc over HTTP/3 too, and measure again.`,
        ]
      : [];
  });
}
