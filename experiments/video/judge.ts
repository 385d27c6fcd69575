import { buildHar } from '../../clients/chromium/har/build.ts';
import type { Har } from '../../clients/chromium/har/har.ts';
import { withoutSecrets } from '../../clients/chromium/har/secrets.ts';
import type { VideoDetails } from '../../records/video.ts';
import { stopwatch } from '../../system/stopwatch.ts';
import type { Judgement } from '../checks.ts';
import { keysSince } from '../in-browser.ts';
import { writeLink } from '../link.ts';
import type { Attempt } from '../measuring.ts';
import { NO_PACKETS, type PacketsWritten, writePackets } from '../packets.ts';
import { writeTcpInfo } from '../tcp-info.ts';
import { trialText } from '../trial-text.ts';
import { judgeSession, segmentFailed } from './checks.ts';
import { detailsOf, metricsOf } from './details.ts';
import { video } from './experiment.ts';
import {
  choicesOf,
  type Measured,
  type Prepared,
  presentationOf,
  type SessionContext,
} from './session.ts';

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
  const packets = isReady
    ? await writePackets(trial, video, () => keysSince(ready.place), context)
    : NO_PACKETS;
  const tcpInfo = isReady ? await writeTcpInfo(trial, video, server, context) : {};
  const link = await writeLink(trial, video, measured.link, context);
  const written = await harOf(prepared, watched, context);
  const details = watched && detailsOf(watched, presentationOf(context), context.url);
  const { outcome, code, message } = judgementOf(
    prepared,
    measured,
    { har: written, packets, details },
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
    files: {
      ...('file' in written && { har: written.file }),
      ...link,
      ...packets.files,
      ...tcpInfo,
    },
    stepsMs: { prepare: prepareMs, ...stepsMs, judge: step() },
    startedAt,
  };
}

/** The HAR on the disk, or why there is none. */
async function harOf(
  { ready, trial }: Prepared,
  watched: Measured['watched'],
  { url, manifest, versions, results }: SessionContext,
): Promise<{ har: Har; file: string } | { message: string }> {
  if ('code' in ready) return { message: ready.message };
  try {
    const har = buildHar(watched?.events ?? ready.player.recorder.events, {
      site: trial.subject,
      stack: trial.arm,
      url,
      comment: `${trialText(trial, video)}; ${manifest?.source ?? ''}`,
      browserVersion: versions.chromium ?? '',
      creatorVersion: versions['quic-vs-https'] ?? '',
    });
    return { har, file: await results.writeHar(trial.id, withoutSecrets(har)) };
  } catch (error) {
    return { message: `No HAR could be written: ${(error as Error).message}` };
  }
}

/** What was written of a session, and told of it. */
interface Written {
  har: Awaited<ReturnType<typeof harOf>>;
  packets: PacketsWritten;
  details: VideoDetails | null;
}

function judgementOf(
  { trial, server }: Prepared,
  { watched, failure, connections, time, path, endedMs }: Measured,
  { har, packets, details }: Written,
  context: SessionContext,
): Judgement {
  if (failure) {
    // A player gives up because of what did not come.
    const gaveUp = failure.code === 'player-failed' ? watched : null;
    const cause = gaveUp && segmentFailed(gaveUp, { presentation: presentationOf(context) });
    if (!cause) return failed(failure);
    return failed({ code: cause.code, message: `${cause.message} ${failure.message}` });
  }
  if ('message' in har) return failed({ code: 'har-failed', message: har.message });
  if (packets.message !== null) {
    return failed({ code: 'packets-failed', message: packets.message });
  }
  if (!watched || !details || !path || !connections || !time) {
    throw new Error('a session that ended well and was not seen to its end');
  }
  return judgeSession(
    { watched, details, har: har.har, path, connections, time, endedMs },
    {
      presentation: presentationOf(context),
      protocol: server.stack.protocol,
      choices: choicesOf(context.choices),
      keyExchange: server.keyExchange ?? null,
      network: trial.network,
      origins: server.origins,
    },
  );
}

function failed({ code, message }: { code: string; message: string }): Judgement {
  return { outcome: 'failed', code, message };
}
