import type { Study } from '../../report/study.ts';
import { DRESDEN } from './preset.ts';

/** “Benchmarking the QUIC Protocol” of TU Dresden, 2021: only QUIC's handshake time included its first round trip. */
export const dresden: Study = {
  name: 'dresden',
  presets: {
    dresden: {
      of: 'sockets',
      about: 'the sockets of TU Dresden’s study of 2021, compared with its numbers',
      options: DRESDEN,
    },
  },
  async sections() {
    const { dresdenSection } = await import('./section.ts');
    return [dresdenSection];
  },
};
