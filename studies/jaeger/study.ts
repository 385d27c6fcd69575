import type { Study } from '../../report/study.ts';
import { JAEGER } from './preset.ts';

/** B. Jaeger's thesis of 2018: the instants of a handshake at which QUIC and TLS were timed. */
export const jaeger: Study = {
  name: 'jaeger',
  presets: {
    jaeger: {
      of: 'connect',
      about: 'the handshakes of Jaeger’s thesis of 2018, compared with its numbers',
      options: JAEGER,
    },
  },
  async sections() {
    const { jaegerSection } = await import('./section.ts');
    return [jaegerSection];
  },
};
