import type { RareSection, Section } from '../../kit/page/section.ts';
import type { RunView } from '../run-view.ts';
import { addressFamilies } from './sections/address-families.ts';
import { agreed } from './sections/agreed.ts';
import type { Connection } from './sections/connections.ts';
import { errors } from './sections/errors.ts';
import { handshakes } from './sections/handshakes.ts';
import { hostExtremes } from './sections/host-extremes.ts';
import { instants } from './sections/instants.ts';
import { lookUps } from './sections/look-ups.ts';

export const autonomousSystems: RareSection<RunView> = {
  isShown: ({ observations }) =>
    observations.some((each) => (each as Connection).details?.autonomousSystem !== undefined),
  load: async () => (await import('./sections/autonomous-systems.ts')).autonomousSystems,
};

export const sections: readonly (Section<RunView> | RareSection<RunView>)[] = [
  instants,
  handshakes,
  addressFamilies,
  autonomousSystems,
  hostExtremes,
  lookUps,
  agreed,
  errors,
];
