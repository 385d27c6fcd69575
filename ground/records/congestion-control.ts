import { bothText } from './protocol.ts';

export const CONGESTION_CONTROLS = ['cubic', 'bbr', 'reno'] as const;

export type CongestionControl = (typeof CONGESTION_CONTROLS)[number];

/** Supported by every kernel and by each configurable stack, whose own defaults differ. */
export const DEFAULT_CONGESTION_CONTROL: CongestionControl = 'cubic';

interface CongestionControlChoice {
  congestionControl?: CongestionControl;
}

interface ArmCongestionControl extends CongestionControlChoice {
  quicCongestionControl?: CongestionControl;
}

/** Requested congestion control of an arm; of its TCP, where it has both transports. */
export function congestionControlOf(
  { settings }: { settings?: ArmCongestionControl },
  { congestionControl = DEFAULT_CONGESTION_CONTROL }: CongestionControlChoice,
): CongestionControl {
  return settings?.congestionControl ?? congestionControl;
}

/** Requested congestion control as text; both where QUIC and TCP differ. */
export function congestionControlText(
  arm: { settings?: ArmCongestionControl },
  choices: CongestionControlChoice,
): string {
  const ofAll = congestionControlOf(arm, choices);
  const ofQuic = arm.settings?.quicCongestionControl ?? ofAll;
  return ofQuic === ofAll ? ofAll : bothText(ofQuic, ofAll);
}
