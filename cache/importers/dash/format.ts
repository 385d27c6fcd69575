import type { ImportFormat } from '../importer.ts';

/** DASH manifests (MPD, ISO/IEC 23009-1), with their files. */
export const dash: ImportFormat = {
  format: 'mpd',
  help: 'a DASH manifest (MPD) with the files of its video',
  what: 'a DASH manifest (`.mpd`) with the files of its video in the same folder',
  example: ['film/manifest.mpd', 'a video, for npm run video'],
  load: async () => (await import('./importer.ts')).DASH,
};
