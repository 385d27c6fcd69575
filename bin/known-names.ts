import { QUICK_SITES } from '../cache/catalogue.ts';
import { pageLoad } from '../experiments/page-load/experiment.ts';
import { verdictMetrics } from '../ground/experiment.ts';
import type { KnownNames } from '../ground/options/row.ts';
import { DESKTOP, PHONE, sizeOf } from '../ground/records/device.ts';
import { NAMED_CONDITIONS } from '../network/conditions.ts';
import { DEFAULTS } from '../runner/defaults.ts';
import { MATCHED_TRANSPORT, STACKS } from '../servers/index.ts';
import { STUDIES } from '../studies/index.ts';

/** Names that the help lists. */
export const KNOWN_NAMES: KnownNames = {
  quickSites: QUICK_SITES,
  stacks: STACKS.map(({ stack }) => stack),
  defaultStacks: STACKS.flatMap(({ stack, byDefault }) => (byDefault ? [stack] : [])),
  baseline: DEFAULTS.baseline,
  matchedInitcwnd: MATCHED_TRANSPORT.initialWindowPackets,
  metrics: verdictMetrics(pageLoad).map(({ word }) => word),
  networks: NAMED_CONDITIONS.map(({ name }) => name),
  presets: STUDIES.flatMap(({ presets }) =>
    Object.entries(presets).map(([name, { of, about }]) => ({ name, of, about })),
  ),
  desktop: sizeOf(DESKTOP),
  phone: `${sizeOf(PHONE)} CSS pixels of ${PHONE.pixelRatio} device pixels`,
};
