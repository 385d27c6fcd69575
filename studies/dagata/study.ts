import type { Study } from '../../report/study.ts';
import { DAGATA } from './preset.ts';

/** D'Agata, "Measuring QUIC performance" (Glasgow, 2024): where the handshake times of each protocol end. */
export const dagata: Study = {
  name: 'dagata',
  presets: {
    dagata: {
      of: 'connect',
      about: 'packets of both handshakes, timed as in a study of 2024 and until the request',
      options: DAGATA,
    },
  },
  async sections() {
    const { dagataSection } = await import('./section.ts');
    return [dagataSection];
  },
};
