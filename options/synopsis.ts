import { COMMANDS, type CommandRow, MEASURING, RUN_STATUSES } from './commands.ts';
import type { OptionRow, OptionTable } from './row.ts';

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

/** What stands for the options that all measuring commands have. */
const SHARED = 'RUN-OPTIONS';

function synopsis(): string {
  const measuring = Object.entries(MEASURING);
  const others = Object.entries(COMMANDS).filter(([name]) => !(name in MEASURING));
  const [first = [], ...more] = measuring.map(([, { options }]) => optionTexts(options));
  const shared = first.filter((word) => more.every((words) => words.includes(word)));
  return [
    '```',
    ...measuring.map((command) => commandLines(command, shared)),
    `# options that ${listText(measuring.map(([name]) => name))} share`,
    wrapped(`${SHARED}:`, shared),
    ...others.map((command) => commandLines(command)),
    '```',
    '',
    RUN_STATUSES,
  ].join('\n');
}

function commandLines(
  [name, { summary, operands, options }]: [string, CommandRow],
  shared: readonly string[] = [],
): string {
  const words = [
    ...operands.map((operand) => {
      const word = operand.many ? `${operand.name}...` : operand.name;
      return operand.needed ? word : `[${word}]`;
    }),
    ...optionTexts(options).filter((word) => !shared.includes(word)),
    ...(shared.length > 0 ? [`[${SHARED}]`] : []),
  ];
  const start = words.length > 0 ? `npm run ${name} --` : `npm run ${name}`;
  return `# ${summary}\n${wrapped(start, words)}`;
}

/** Lines of what begins so, each further one below its first word. */
function wrapped(start: string, words: readonly string[]): string {
  const lines = [start];
  for (const word of words) {
    const last = lines.at(-1) ?? '';
    if (last.length + 1 + word.length <= WIDTH_COLUMNS) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${' '.repeat(start.length)} ${word}`);
  }
  return lines.join('\n');
}

function optionTexts(options: OptionTable): string[] {
  return Object.entries<OptionRow>(options).map(([name, { argument, read }]) => {
    if (argument === null) return `[--${name}]`;
    return `[--${name} ${read.words?.join(read.several ? ',' : '|') ?? argument}]`;
  });
}

/** `a, b and c`. */
function listText(names: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(names);
}
