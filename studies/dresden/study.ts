import type { Study } from '../../report/study.ts';
import { DRESDEN } from './preset.ts';

/** “Benchmarking the QUIC Protocol” of TU Dresden, 2021: a handshake whose first round trip was timed by QUIC alone. */
export const dresden: Study = {
  name: 'dresden',
  presets: {
    dresden: {
      of: 'sockets',
      about: 'the sockets of TU Dresden’s study of 2021, and its numbers beside the new ones',
      options: DRESDEN,
    },
  },
  async sections() {
    const { dresdenSection } = await import('./section.ts');
    return [dresdenSection];
  },
};
