import type { Study } from '../../report/study.ts';
import { JAEGER } from './preset.ts';

/** B. Jaeger's thesis of 2018: which instant of a handshake was timed by QUIC, and which by TLS. */
export const jaeger: Study = {
  name: 'jaeger',
  presets: {
    jaeger: {
      of: 'connect',
      about: 'the handshakes of Jaeger’s thesis of 2018, and its numbers beside the new ones',
      options: JAEGER,
    },
  },
  async sections() {
    const { jaegerSection } = await import('./section.ts');
    return [jaegerSection];
  },
};
