import { bothText } from './protocol.ts';

export const CONGESTION_CONTROLS = ['cubic', 'bbr', 'reno'] as const;

/** How a sender finds out how much it may have in flight. */
export type CongestionControl = (typeof CONGESTION_CONTROLS)[number];

/** What every kernel has, and every stack that can: by itself each would take its own. */
export const DEFAULT_CONGESTION_CONTROL: CongestionControl = 'cubic';

interface CongestionControlChoice {
  congestionControl?: CongestionControl;
}

interface ArmCongestionControl extends CongestionControlChoice {
  quicCongestionControl?: CongestionControl;
}

/** What an arm of a run is asked to have; where it has both, TCP. */
export function congestionControlOf(
  { settings }: { settings?: ArmCongestionControl },
  { congestionControl = DEFAULT_CONGESTION_CONTROL }: CongestionControlChoice,
): CongestionControl {
  return settings?.congestionControl ?? congestionControl;
}

/** The same as text, both where QUIC and TCP are asked for different ones. */
export function congestionControlText(
  arm: { settings?: ArmCongestionControl },
  choices: CongestionControlChoice,
): string {
  const ofAll = congestionControlOf(arm, choices);
  const ofQuic = arm.settings?.quicCongestionControl ?? ofAll;
  return ofQuic === ofAll ? ofAll : bothText(ofQuic, ofAll);
}
