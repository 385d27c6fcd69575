import type { Study } from '../../report/study.ts';
import { BASE, PARTS } from './parts.ts';

/** The project's answer to its question: twelve pages over five networks, then one change at a time. */
export const isQuicFaster: Study = {
  name: 'is-quic-faster',
  presets: Object.fromEntries(
    PARTS.map(({ name, title, options }) => [
      `is-quic-faster/${name}`,
      { of: 'page-load', about: BASE.includes(name) ? title.toLowerCase() : null, options },
    ]),
  ),
  sections: async () => [],
  async documents() {
    const { documents } = await import('./documentation.ts');
    return documents();
  },
};
