import { MachineError } from '../ground/system/errors.ts';
import { complain, printable } from '../ground/system/printed.mjs';
import { shellWord } from '../ground/system/shell-word.ts';
import { wrapText } from '../kit/text/terminal.ts';
import { readingText, readRunCaptures } from '../packets/run-captures.ts';

/**
 * Reads the captures of a run before its report is written, after all attempts, because reading takes their processor time. Without
 * tshark, or when interrupted, reports how to read the rest later.
 */
export async function readCaptures(folder: string, signal?: AbortSignal): Promise<void> {
  const later = `Then: npm run packets -- ${shellWord(folder)}, and npm run report -- ${shellWord(folder)}.`;
  try {
    await readRunCaptures(folder, (unread) => complain(readingText(unread)), signal);
  } catch (error) {
    const isInterrupted = signal?.aborted === true;
    if (!isInterrupted && !(error instanceof MachineError)) throw error;
    const reason = isInterrupted ? 'Reading was interrupted.' : (error as Error).message;
    const sentence = `The captures are made, but not all of them are read: ${reason} ${later}`;
    complain(wrapText(printable(sentence), process.stderr.columns));
  }
}
