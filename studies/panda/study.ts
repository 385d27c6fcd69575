import type { Study } from '../../report/study.ts';
import { PANDA, PANDA_CONNECT } from './preset.ts';

/** Panda, "Evaluating Web and Video Content Delivery over Google QUIC" (TUM, 2019): its order of protocols, on the same hosts. */
export const panda: Study = {
  name: 'panda',
  presets: {
    panda: {
      of: 'video',
      about: 'a video over QUIC and over TCP, compared with a study of 2019',
      options: PANDA,
    },
    'panda-connect': {
      of: 'connect',
      about:
        'QUIC, TLS 1.3 and TLS 1.2 on the same hosts, for which a study of 2019 used different ones',
      options: PANDA_CONNECT,
    },
  },
  async sections() {
    const { connectionsSection } = await import('./connections.ts');
    const { videosSection } = await import('./videos.ts');
    return [connectionsSection, videosSection];
  },
};
