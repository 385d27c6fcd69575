import type { Study } from '../../report/study.ts';
import { DAGATA } from './preset.ts';

/** D'Agata, "Measuring QUIC performance" (Glasgow, 2024): what each side of its handshake times was timed to. */
export const dagata: Study = {
  name: 'dagata',
  presets: {
    dagata: {
      of: 'connect',
      about: 'packets of both handshakes, timed as a study of 2024 did and to the request',
      options: DAGATA,
    },
  },
  async sections() {
    const { dagataSection } = await import('./section.ts');
    return [dagataSection];
  },
};
