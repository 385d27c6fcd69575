import type { Section } from '../../kit/page/section.ts';
import type { RunView } from '../run-view.ts';
import { addressFamilies } from './sections/address-families.ts';
import { agreed } from './sections/agreed.ts';
import { errors } from './sections/errors.ts';
import { handshakes } from './sections/handshakes.ts';
import { hostExtremes } from './sections/host-extremes.ts';
import { instants } from './sections/instants.ts';
import { lookUps } from './sections/look-ups.ts';

export const sections: readonly Section<RunView>[] = [
  instants,
  handshakes,
  addressFamilies,
  hostExtremes,
  lookUps,
  agreed,
  errors,
];
