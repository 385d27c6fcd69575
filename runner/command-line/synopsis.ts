import type { Operand } from '../../ground/experiment.ts';
import type { CommandRow, Commands } from '../../ground/options/command.ts';
import type { OptionRow, OptionTable } from '../../ground/options/row.ts';
import { replaceGenerated } from '../../ground/system/generated-part.ts';
import { measuringCommands } from './commands.ts';

/** Width of a line of the page, in columns. */
const WIDTH_COLUMNS = 100;

/**
 * Fills a Markdown page, between its two marks, with every command, its options and their values.
 * @param tools the commands that measure nothing
 * @throws Error when the marks are missing
 */
export function withSynopsis(page: string, tools: Commands): string {
  return replaceGenerated(page, synopsis(tools));
}

/** Placeholder for the options of all measuring commands. */
const SHARED = 'RUN-OPTIONS';

function synopsis(tools: Commands): string {
  const measuring = Object.entries(measuringCommands());
  const [first = [], ...more] = measuring.map(([, { options }]) => optionTexts(options));
  const shared = first.filter((word) => more.every((words) => words.includes(word)));
  return [
    '```',
    ...measuring.map((command) => commandLines(command, shared)),
    `# options that ${listText(measuring.map(([name]) => name))} share`,
    wrapped(`${SHARED}:`, shared),
    ...Object.entries(tools).map((command) => commandLines(command)),
    '```',
  ].join('\n');
}

function commandLines(
  [name, { summary, operands, options }]: [string, CommandRow],
  shared: readonly string[] = [],
): string {
  const words = [
    ...operands.filter(({ isCommand }) => !isCommand).map(operandText),
    ...optionTexts(options).filter((word) => !shared.includes(word)),
    ...(shared.length > 0 ? [`[${SHARED}]`] : []),
    ...operands.filter(({ isCommand }) => isCommand).map(({ name }) => `-- ${name} [...]`),
  ];
  const start = words.length > 0 ? `npm run ${name} --` : `npm run ${name}`;
  return `# ${summary}\n${wrapped(start, words)}`;
}

function operandText({ name, many, needed }: Operand): string {
  const word = many ? `${name}...` : name;
  return needed ? word : `[${word}]`;
}

/** Wraps text; further lines are indented below its first word. */
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
