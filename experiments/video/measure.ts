import { LIMITS } from '../../clients/chromium/limits.ts';
import { startWatch } from '../../ground/host/watch.ts';
import type { Trial } from '../../ground/records/run.ts';
import { stopwatch } from '../../ground/system/stopwatch.ts';
import { failureOf, inBrowser, leavePlace, PLACE_LIMIT_MS, placesOf } from '../in-browser.ts';
import { linkSamples } from '../link.ts';
import { type Measuring, serverOf } from '../measuring.ts';
import { tcpInfoMs } from '../tcp-info.ts';
import { applyPath, counted, NOT_OBSERVED, observe } from '../trial.ts';
import { judge } from './judge.ts';
import { sessionsOf } from './planning.ts';
import { openPlayer, play } from './players/session.ts';
import type { PlayerName } from './records.ts';
import { type Measured, type Prepared, presentationOf, type SessionContext } from './session.ts';

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
  const { places, url } = context;
  const player = factors.player as PlayerName;
  const { rungs } = presentationOf(context);
  const place = await places.open(arm);
  try {
    const asked = { ...sessionsOf(context), player, url, rungs };
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
  let seen: Measured = { ...NOTHING_SEEN, startedAt: new Date() };
  if ('code' in ready) return { ...seen, failure: ready };
  const { place, player } = ready;
  try {
    await applyPath(trial, context, { tcpInfoMs: tcpInfoMs(choices, server) });
    seen.startedAt = new Date();
    const step = stopwatch();
    const { watchedMs } = sessionsOf(context);
    const limitMs = watchedMs + 2 * LIMITS.browserAnswerMs;
    const { acted: watched, ...observed } = await observe(
      () => startWatch({ serverPid: server.pid, clientPid: place.browserPid }),
      () => inBrowser(play(player, { watchedMs, signal }), limitMs, 'a session', context),
    );
    seen = { ...seen, ...observed, watched, failure: watched.failure };
    const session = step();
    const onPath = await counted(path, { samples: () => linkSamples(trial, context) });
    return { ...seen, ...onPath, stepsMs: { session, count: step() } };
  } catch (error) {
    return { ...seen, failure: failureOf(error as Error, context) };
  } finally {
    settling.resolve();
  }
}

const NOTHING_SEEN = {
  ...NOT_OBSERVED,
  watched: null,
  failure: null,
  stepsMs: { session: 0, count: 0 },
};
