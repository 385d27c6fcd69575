import { asksForNames } from '../../clients/chromium/names.ts';
import { isForced } from '../../clients/chromium/places.ts';
import type { Trial } from '../../ground/records/run.ts';
import { placesOf } from '../in-browser.ts';
import type { Client, Measuring } from '../measuring.ts';
import { judge } from './judge.ts';
import type { LoadContext, Prepared } from './load.ts';
import { dispose, measure, prepare, visitOf, warmUp } from './measure-load.ts';

/** How page loads are made: prepare, measure, judge, dispose. */
export const measuring: Measuring = {
  open(bench) {
    return clientOf({ ...bench, places: placesOf(bench) });
  },
};

/** What makes loads in these places. */
export function clientOf(bench: Omit<LoadContext, 'otherBytes'>): Client<Prepared> {
  const context: LoadContext = { ...bench, otherBytes: new Map() };
  const { places, servers } = context;
  return {
    get isWorn() {
      return places.isWorn;
    },
    askerOf(trial) {
      const server = servers.find(({ stack }) => stack.stack === trial.arm);
      return server && isForced(server, visitOf(trial)) ? `${trial.arm} forced` : trial.arm;
    },
    // The name server knows the hosts of one server at a time.
    ...(!servers.some(({ stack: { protocol }, origins }) =>
      asksForNames({ protocol, origins }),
    ) && {
      warmUp: (trials: readonly Trial[]) => warmUp(trials, context),
    }),
    prepare: (trial) => prepare(trial, context),
    measure: async (prepared) => judge(prepared, await measure(prepared, context), context),
    settling: ({ settling }) => settling.promise,
    dispose,
    close: () => places.close(),
  };
}
