import { withBrowser } from '../../runner/browser/chromium.ts';
import { withProfile } from '../../runner/browser/profile.ts';
import { type Bench, browserOptions, pageLoadMs, pageLoadMsAlone } from './load.ts';

/** Ways to load the same page that ought to measure the same; the first is what the others are compared with. */
export interface Ways {
  /** What is compared, for a heading. */
  what: string;
  ways: readonly { name: string; load(): Promise<number> }[];
}

/** With and without looking: what a HAR is made of, and Chromium's NetLog. */
export function lookingWays(bench: Bench): Ways {
  const load = (capture: boolean, netLog: boolean) => () =>
    pageLoadMsAlone(bench, { capture, netLog });
  return {
    what: 'while looking',
    ways: [
      { name: 'nothing', load: load(false, false) },
      { name: 'HAR', load: load(true, false) },
      { name: 'NetLog', load: load(false, true) },
      { name: 'HAR and NetLog', load: load(true, true) },
    ],
  };
}

/** In a process of its own, and in a fresh context of a process that is kept; hands both on while the latter lives. */
export async function withIsolationWays<T>(
  bench: Bench,
  use: (ways: Ways) => Promise<T>,
): Promise<T> {
  return withProfile((profileFolder) =>
    withBrowser({ ...browserOptions(bench, profileFolder), netLogFile: null }, (kept) =>
      use({
        what: 'by isolation',
        ways: [
          { name: 'process', load: () => pageLoadMsAlone(bench, { capture: true, netLog: false }) },
          {
            name: 'context',
            load: () => pageLoadMs(kept, bench, { capture: true, inContext: true }),
          },
        ],
      }),
    ),
  );
}
