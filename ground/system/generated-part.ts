const MARKS = {
  begin: '<!-- Begin of what `npm run docs` writes -->',
  end: '<!-- End of what `npm run docs` writes -->',
};

/**
 * Replaces the text between the two marks of a page.
 * @throws Error when it has no marks
 */
export function replaceGenerated(page: string, text: string): string {
  const [begin, end] = [page.indexOf(MARKS.begin), page.indexOf(MARKS.end)];
  if (begin < 0 || end < begin) {
    throw new Error(
      `The page has no place for what is written: expected ${MARKS.begin}, ${MARKS.end}.`,
    );
  }
  const before = page.slice(0, begin + MARKS.begin.length);
  return `${before}\n${text}\n${page.slice(end)}`;
}
