import { PAGE_VIAS } from '../../ground/records/via.ts';
import { CONNECTION_OPTIONS } from '../connect/options.ts';
import { OPTION_DEFAULTS } from '../../ground/options/defaults.ts';
import { ISOLATIONS, LOAD_OPTIONS } from '../../ground/options/loads.ts';
import { durationMs, severalOf } from '../../ground/options/readers.ts';
import { optionGroup } from '../../ground/options/row.ts';

/** What pages of the live web are loaded by, some of it under the names that connections have. */
export const LIVE_PAGE_OPTIONS = optionGroup(LOAD_OPTIONS.sites.group, 'plan', {
  pause: {
    argument: 'TIME',
    help: `least time between two loads from one host with --live: 2s, 1m (default ${OPTION_DEFAULTS.pauseMs / 1000}s)`,
    read: durationMs,
    needs: 'live',
    said: ({ choices: { livePages } }) =>
      livePages
        ? [
            ['Loads are kept apart by', ISOLATIONS.process],
            ['Pause between two loads from one host', `${livePages.pauseMs / 1000} s at least`],
          ]
        : [],
  },
  live: {
    ...CONNECTION_OPTIONS.live,
    group: LOAD_OPTIONS.sites.group,
    help: 'loads pages at URLs over the network of this machine, in place of cached sites from local servers',
  },
  via: {
    ...CONNECTION_OPTIONS.via,
    group: LOAD_OPTIONS.sites.group,
    help: 'versions of HTTP that live pages are loaded by, compared with each other: h3 (QUIC is forced), h2, h1.1 (default: h3,h2)',
    read: severalOf(...PAGE_VIAS),
    needs: 'live',
  },
});
