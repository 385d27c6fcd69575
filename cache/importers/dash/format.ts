import type { ImportFormat } from '../importer.ts';

/** Manifests of DASH (MPD, ISO/IEC 23009-1), with the files beside them that they name. */
export const dash: ImportFormat = {
  format: 'mpd',
  help: 'a manifest of DASH (MPD) with the files of its video beside it',
  what: 'a manifest of DASH (`.mpd`) with the files of its video beside it',
  example: ['film/manifest.mpd', 'a video, for npm run video'],
  load: async () => (await import('./importer.ts')).DASH,
};
