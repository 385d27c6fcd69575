import { LIMITS } from '../../clients/chromium/limits.ts';
import { openPlayer, play } from '../../clients/chromium/players/session.ts';
import type { Watched } from '../../clients/chromium/players/watched.ts';
import { startHeartbeat } from '../../interference/heartbeat.ts';
import { startWatch } from '../../interference/watch.ts';
import type { Trial } from '../../records/run.ts';
import type { PlayerName } from '../../records/video.ts';
import { monotonicMs } from '../../system/node-clock.ts';
import { stopwatch } from '../../system/stopwatch.ts';
import { failureOf, inBrowser, leavePlace, PLACE_LIMIT_MS, placesOf } from '../in-browser.ts';
import { linkSamples } from '../link.ts';
import { type Measuring, serverOf } from '../measuring.ts';
import { capturesPackets } from '../packets.ts';
import { tcpInfoMs } from '../tcp-info.ts';
import { judge } from './judge.ts';
import {
  choicesOf,
  type Measured,
  type Prepared,
  presentationOf,
  type SessionContext,
} from './session.ts';

/** How videos are watched: each session in a context of its own of a browser that is kept for its server. */
export const measuring: Measuring = {
  open(bench) {
    const context = { ...bench, places: placesOf(bench) };
    const { places } = context;
    return {
      get isWorn() {
        return places.isWorn;
      },
      prepare: (trial) => prepare(trial, context),
      async measure(prepared) {
        const session = prepared as Prepared;
        return judge(session, await measure(session, context), context);
      },
      settling: (prepared) => (prepared as Prepared).settling.promise,
      async dispose(prepared) {
        const { ready } = prepared as Prepared;
        if (!('code' in ready)) await leavePlace(ready.place);
      },
      close: () => places.close(),
    };
  },
};

/** Opens a player that has asked for nothing. Nothing of it goes over the path. */
async function prepare(trial: Trial, context: SessionContext): Promise<Prepared> {
  const step = stopwatch();
  const server = serverOf(trial.arm, context.servers);
  const ready = await inBrowser(opened(trial, context), PLACE_LIMIT_MS, 'a player', context).catch(
    (error) => failureOf(error, context),
  );
  return { trial, server, ready, prepareMs: step(), settling: Promise.withResolvers() };
}

async function opened({ arm, factors }: Trial, context: SessionContext) {
  const { places, choices, url } = context;
  const player = factors.player as PlayerName;
  const { rungs } = presentationOf(context);
  const place = await places.open(arm);
  try {
    const asked = { ...choicesOf(choices), player, url, rungs };
    return { place, player: await openPlayer(place, asked) };
  } catch (error) {
    await leavePlace(place);
    throw error;
  }
}

/** Has the player play; anything that breaks becomes the session's failure, and what was seen until then is kept. */
async function measure(prepared: Prepared, context: SessionContext): Promise<Measured> {
  const { ready, trial, server, settling } = prepared;
  const { path, choices, signal } = context;
  const seen: Measured = { ...NOTHING_SEEN, startedAt: new Date() };
  if ('code' in ready) return { ...seen, failure: ready };
  const { place, player } = ready;
  try {
    await path.apply(
      { ...trial.network, seed: trial.networkSeed },
      { captures: capturesPackets(choices, trial), tcpInfoMs: tcpInfoMs(choices, server) },
    );
    seen.startedAt = new Date();
    const step = stopwatch();
    const watch = startWatch({ serverPid: server.pid, clientPid: place.browserPid });
    const heartbeat = startHeartbeat();
    let watched: Watched;
    try {
      const { watchedMs } = choicesOf(choices);
      const limitMs = watchedMs + 2 * LIMITS.browserAnswerMs;
      watched = await inBrowser(play(player, { watchedMs, signal }), limitMs, 'a session', context);
    } finally {
      seen.time = heartbeat.end();
      seen.endedMs = monotonicMs();
    }
    seen.machine = watch.end();
    seen.watched = watched;
    seen.failure = watched.failure;
    const sessionMs = step();
    seen.path = await path.count();
    seen.link = await linkSamples(trial, context);
    seen.connections = await path.connections();
    return { ...seen, stepsMs: { session: sessionMs, count: step() } };
  } catch (error) {
    return { ...seen, failure: failureOf(error as Error, context) };
  } finally {
    settling.resolve();
  }
}

const NOTHING_SEEN = {
  watched: null,
  failure: null,
  connections: null,
  machine: null,
  time: null,
  path: null,
  link: null,
  endedMs: 0,
  stepsMs: { session: 0, count: 0 },
};
