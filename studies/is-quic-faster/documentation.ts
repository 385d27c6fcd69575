import path from 'node:path';
import { replaceGenerated } from '../../ground/system/generated-part.ts';
import { readPlainTextSync } from '../../ground/system/plain-file.ts';
import { wrapText } from '../../kit/text/terminal.ts';
import type { StudyDocument } from '../../report/study.ts';
import { answersFigures } from './charts.ts';
import { developersText } from './developers.ts';
import { ownersText } from './owners.ts';
import { researchersText } from './researchers.ts';
import { type PartResult, readResults } from './result.ts';

/** A page for each kind of reader. */
const PAGES: Readonly<Record<string, (results: readonly PartResult[]) => string>> = {
  'README.md': ownersText,
  'for-server-developers.md': developersText,
  'for-researchers.md': researchersText,
};

/** The study's pages and figures, from these results; default: the kept ones. */
export function documents(results: readonly PartResult[] = readResults()): StudyDocument[] {
  return [
    ...Object.entries(PAGES).map(([file, textOf]) => ({
      file,
      content: replaceGenerated(
        readPlainTextSync(path.join(import.meta.dirname, file)),
        `\n${textOf(results).replaceAll(/^[^|!#\n].*/gm, inLines)}\n`,
      ),
    })),
    ...answersFigures(results).map(({ file, svg }) => ({ file, content: svg })),
  ];
}

function inLines(paragraph: string): string {
  return wrapText(paragraph, 100);
}
