import { stopwatch } from '../../ground/system/stopwatch.ts';
import { type BrowserFiles, harOf, writeBrowserFiles } from '../browser-files.ts';
import { failed, type Judgement } from '../checks.ts';
import type { Attempt } from '../measuring.ts';
import { judgeSession, segmentFailed } from './checks.ts';
import { detailsOf, metricsOf } from './details.ts';
import { video } from './experiment.ts';
import { sessionsOf } from './planning.ts';
import type { VideoDetails } from './records.ts';
import { type Measured, type Prepared, presentationOf, type SessionContext } from './session.ts';

/** Writes the HAR and the packets of a session, judges it, and takes its numbers. */
export async function judge(
  prepared: Prepared,
  measured: Measured,
  context: SessionContext,
): Promise<Attempt> {
  const { ready, trial, server, prepareMs } = prepared;
  const { watched, connections, machine, path, startedAt, stepsMs } = measured;
  const step = stopwatch();
  const isReady = !('code' in ready);
  const written = await writeBrowserFiles(
    {
      trial,
      server,
      place: isReady ? ready.place : null,
      experiment: video,
      link: measured.link,
      makeHar() {
        if (!isReady) throw new Error(ready.message);
        const events = watched?.events ?? ready.player.recorder.events;
        const source = context.manifest?.source ?? '';
        return harOf(events, { trial, experiment: video, source }, context);
      },
    },
    context,
  );
  const details = watched && detailsOf(watched, presentationOf(context), context.url);
  const { outcome, code, message } = judgementOf(
    prepared,
    measured,
    { ...written, details },
    context,
  );
  return {
    outcome,
    code,
    message,
    client: isReady ? ready.place.about : null,
    metrics: watched && details ? metricsOf(watched, details) : {},
    connections,
    machine,
    path,
    details,
    files: written.files,
    stepsMs: { prepare: prepareMs, ...stepsMs, judge: step() },
    startedAt,
  };
}

/** What was written of a session, and told of it. */
interface Written extends BrowserFiles {
  details: VideoDetails | null;
}

function judgementOf(
  { trial, server }: Prepared,
  { watched, failure, connections, time, path, endedMs }: Measured,
  { har, failure: unwritten, details }: Written,
  context: SessionContext,
): Judgement {
  if (failure) {
    // A player gives up because of what did not come.
    const gaveUp = failure.code === 'player-failed' ? watched : null;
    const cause = gaveUp && segmentFailed(gaveUp, { presentation: presentationOf(context) });
    if (!cause) return failed(failure);
    return failed({ code: cause.code, message: `${cause.message} ${failure.message}` });
  }
  if (unwritten) return failed(unwritten);
  if (!har || !watched || !details || !path || !connections || !time || endedMs === null) {
    throw new Error('a session that ended well and was not seen to its end');
  }
  return judgeSession(
    { watched, details, har, path, connections, time, endedMs },
    {
      presentation: presentationOf(context),
      protocol: server.stack.protocol,
      choices: sessionsOf(context),
      keyExchange: server.keyExchange ?? null,
      network: trial.network,
      origins: server.origins,
    },
  );
}
