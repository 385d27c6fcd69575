export const CONGESTION_CONTROLS = ['cubic', 'bbr', 'reno'] as const;

/** How a sender finds out how much it may have in flight. */
export type CongestionControl = (typeof CONGESTION_CONTROLS)[number];

/** What every kernel has, and every stack that can: by itself each would take its own. */
export const USUAL_CONGESTION_CONTROL: CongestionControl = 'cubic';

interface Asked {
  congestionControl?: CongestionControl;
}

/** What an arm of a run is asked to have. */
export function congestionControlOf(
  { settings }: { settings?: Asked },
  { congestionControl = USUAL_CONGESTION_CONTROL }: Asked,
): CongestionControl {
  return settings?.congestionControl ?? congestionControl;
}
