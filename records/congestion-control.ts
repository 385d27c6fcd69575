import { oneOf, type Static } from './schema.ts';

export const CONGESTION_CONTROLS = ['cubic', 'bbr', 'reno'] as const;

export const congestionControlSchema = oneOf(
  CONGESTION_CONTROLS,
  "Congestion control asked of TCP at both ends of the path and of QUIC's servers; absent: cubic.",
);

/** How a sender finds out how much it may have in flight. */
export type CongestionControl = Static<typeof congestionControlSchema>;

/** What every kernel and every stack has; by itself each would take its own. */
export const USUAL_CONGESTION_CONTROL: CongestionControl = 'cubic';
