import { writeFile } from 'node:fs/promises';
import type { ImportFormat } from '../../../cache/importers/importer.ts';
import { isPage } from '../../../cache/importers/navigation.ts';
import type { Recording } from '../../../cache/recording.ts';

/** By the files that stand for them. */
const RECORDINGS = new Map<string, Recording>();

function recordingOf(archive: string): Recording {
  const recording = RECORDINGS.get(archive);
  if (recording === undefined) throw new Error(`${archive} stands for no recording`);
  return recording;
}

/** Writes an empty file that `MADE_UP_FORMAT` reads as this recording. */
export async function writeRecording(file: string, recording: Recording): Promise<string> {
  await writeFile(file, '');
  RECORDINGS.set(file, recording);
  return file;
}

/** A format for tests of what is the same in every format. */
export const MADE_UP_FORMAT: ImportFormat = {
  format: 'made-up',
  help: 'a recording of a test',
  what: 'a recording of a test',
  load: async () => ({
    recognise: async (archive) => RECORDINGS.has(archive),
    read: async (archive, { document }) => {
      const recording = recordingOf(archive);
      return { ...recording, documentUrl: document ?? recording.documentUrl };
    },
    pages: async (archive) => {
      const { exchanges, source } = recordingOf(archive);
      return exchanges.filter(isPage).map(({ url }) => ({ document: url, title: source }));
    },
  }),
};
