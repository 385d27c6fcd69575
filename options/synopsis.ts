import { COMMANDS, type CommandRow, RUN_STATUSES } from './commands.ts';
import type { OptionRow } from './row.ts';

/** Of a line of the README. */
const WIDTH_COLUMNS = 110;

const MARKS = {
  begin: '<!-- Begin of what `npm run docs` writes -->',
  end: '<!-- End of what `npm run docs` writes -->',
};

/**
 * A page of documentation in Markdown with every command, its options and their values between its two marks.
 * @throws Error when it has no marks
 */
export function withSynopsis(page: string): string {
  const [begin, end] = [page.indexOf(MARKS.begin), page.indexOf(MARKS.end)];
  if (begin < 0 || end < begin) {
    throw new Error(
      `The page has no place for the options: expected ${MARKS.begin}, ${MARKS.end}.`,
    );
  }
  const before = page.slice(0, begin + MARKS.begin.length);
  return `${before}\n${synopsis()}\n${page.slice(end)}`;
}

function synopsis(): string {
  const commands = Object.entries<CommandRow>(COMMANDS).map(commandLines);
  return ['```', ...commands, '```', '', RUN_STATUSES].join('\n');
}

function commandLines([name, { summary, operands, options }]: [string, CommandRow]): string {
  const words = [
    ...operands.map((operand) => {
      const word = operand.many ? `${operand.name}...` : operand.name;
      return operand.needed ? word : `[${word}]`;
    }),
    ...Object.entries(options).map(optionText),
  ];
  const start = words.length > 0 ? `npm run ${name} --` : `npm run ${name}`;
  const lines = [start];
  for (const word of words) {
    const last = lines.at(-1) ?? '';
    if (last.length + 1 + word.length <= WIDTH_COLUMNS) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${' '.repeat(start.length)} ${word}`);
  }
  return [`# ${summary}`, ...lines].join('\n');
}

function optionText([name, { argument, read }]: [string, OptionRow]): string {
  if (argument === null) return `[--${name}]`;
  return `[--${name} ${read.words?.join(read.several ? ',' : '|') ?? argument}]`;
}
