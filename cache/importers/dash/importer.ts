import path from 'node:path';
import { siteOfDash } from '../../dash/video-site.ts';
import { headOf } from '../archive-file.ts';
import type { Importer } from '../importer.ts';

export const DASH: Importer = {
  recognise: async (file) => {
    const head = await headOf(file);
    return (
      head !== null && (/\.mpd$/i.test(file) || /<(\w{1,20}:)?MPD[\s>]/.test(head.toString('utf8')))
    );
  },
  readVideo: (file, limits) =>
    siteOfDash(file, `Imported from ${path.basename(file)}, byte for byte.`, limits),
};
