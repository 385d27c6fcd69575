import { isForced, placesFor } from '../../clients/chromium/places.ts';
import type { Client, Measuring } from '../measuring.ts';
import { judge } from './judge.ts';
import type { LoadContext, Prepared } from './load.ts';
import { dispose, measure, prepare, visitOf } from './measure-load.ts';

/** How page loads are made: prepare, measure, judge, dispose. */
export const measuring: Measuring = {
  open(bench) {
    const { isolation, tlsMost, netLogs = false } = bench.choices;
    const { manifest, programs, enter, results, warn, signal } = bench;
    if (manifest === null) throw new Error(`${bench.url} is no page of the cache`);
    const keepNetLog = (id: string, netLogFile: string) =>
      results.keepNetLog(id, netLogFile).catch((error: Error) => {
        warn(`The NetLog of ${id} could not be kept: ${error.message}`);
      });
    const places = placesFor(isolation, bench.servers, {
      chromium: programs.chromium,
      enter,
      tlsMost,
      ...(netLogs && { keepNetLog }),
      signal,
    });
    return clientOf({ ...bench, manifest, places });
  },
};

/** What makes loads in these places. */
export function clientOf(context: LoadContext): Client<Prepared> {
  const { places, servers } = context;
  return {
    get isWorn() {
      return places.isWorn;
    },
    askerOf(trial) {
      const server = servers.find(({ stack }) => stack.stack === trial.arm);
      return server && isForced(server, visitOf(trial)) ? `${trial.arm} forced` : trial.arm;
    },
    prepare: (trial) => prepare(trial, context),
    measure: async (prepared) => judge(prepared, await measure(prepared, context), context),
    settling: ({ settling }) => settling.promise,
    dispose,
    close: () => places.close(),
  };
}
