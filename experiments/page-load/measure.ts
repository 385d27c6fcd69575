import { placesFor } from '../../clients/chromium/places.ts';
import type { Client, Measuring } from '../measuring.ts';
import { judge } from './judge.ts';
import type { LoadContext, Prepared } from './load.ts';
import { dispose, measure, prepare } from './measure-load.ts';

/** How page loads are made: prepare, measure, judge, dispose. */
export const measuring: Measuring = {
  open(bench) {
    const { isolation, tlsMost } = bench.choices;
    const { programs, enter, signal } = bench;
    const places = placesFor(isolation, bench.servers, {
      chromium: programs.chromium,
      enter,
      tlsMost,
      signal,
    });
    return clientOf({ ...bench, places });
  },
};

/** What makes loads in these places. */
export function clientOf(context: LoadContext): Client<Prepared> {
  const { places } = context;
  return {
    get isWorn() {
      return places.isWorn;
    },
    prepare: (trial) => prepare(trial, context),
    measure: async (prepared) => judge(prepared, await measure(prepared, context), context),
    settling: ({ settling }) => settling.promise,
    dispose,
    close: () => places.close(),
  };
}
