import { styleText } from 'node:util';
import { Command, CommanderError, Option } from 'commander';
import { type CommandRow, type Commands, commandNamed } from '../../ground/options/command.ts';
import { didYouMean } from '../../ground/options/nearest-name.ts';
import type { KnownNames, OptionRow, OptionTable, RawOptions } from '../../ground/options/row.ts';
import { UsageError } from '../../ground/system/exit-status.ts';
import { printStyled } from '../../ground/system/printed.mjs';
import { measuringCommands } from './commands.ts';

/** Width for a terminal of unknown width. */
const DEFAULT_COLUMNS = 80;

export interface CommandLine {
  command: string;
  /** All words behind the command. */
  words: readonly string[];
  given: RawOptions;
  operands: readonly string[];
}

/**
 * Reads a command line; null: help or the version was requested, and is printed.
 * @param known names for the help; null: help is not requested
 * @param version for --version
 * @throws UsageError for unknown commands and options, and for missing or extra words
 */
export function readCommandLine(
  words: readonly string[],
  commands: Commands = measuringCommands(),
  known: KnownNames | null = null,
  version = '',
): CommandLine | null {
  const [name, ...behind] = words;
  const program = programOf(commands, known, version);
  try {
    program.parse(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return null;
    throw usageError(error, commands, name);
  }
  const command = program.commands.find((each) => each.name() === name);
  const row = commandNamed(commands, name);
  if (!command || !row) throw commandMissing(commands);
  assertOperands(command.name(), row, command.args);
  return {
    command: command.name(),
    words: behind,
    given: givenTo(command),
    operands: command.args,
  };
}

function programOf(commands: Commands, known: KnownNames | null, version: string): Command {
  const program = new Command('quic-vs-https')
    .description('Does QUIC load this page faster than HTTPS?')
    .usage('COMMAND [options]')
    .helpOption('-h, --help', 'prints this')
    .helpCommand(false)
    .enablePositionalOptions()
    .exitOverride()
    .showSuggestionAfterError(false)
    .addHelpText('after', '\nnpm run setup -- --help: further servers, clients and browsers.')
    .configureOutput({ writeOut: (text) => printStyled(text.trimEnd()), outputError: () => {} })
    .configureHelp({
      // Removed where standard output is no terminal, or NO_COLOR is set.
      styleTitle: (title) => styleText('bold', title, { validateStream: false }),
      commandUsage: (command) =>
        command.parent
          ? `npm run ${command.name()} -- ${command.usage()}`
          : `${command.name()} ${command.usage()}`,
      subcommandTerm: (command) => command.name(),
    });
  for (const [name, row] of Object.entries(commands)) addCommand(program, name, row, known);
  for (const each of [program, ...program.commands]) {
    each.version(version, '-V, --version', 'prints the version and the commit');
  }
  return program;
}

function addCommand(
  program: Command,
  name: string,
  { summary, operands, options, examples, statuses }: CommandRow,
  known: KnownNames | null,
): void {
  const command: Command = program
    .command(name)
    .summary(summary)
    .description([sentence(summary), ...exampleLines(name, examples)].join('\n'))
    .addHelpText('after', () => {
      const widthColumns = process.stdout.columns ?? DEFAULT_COLUMNS;
      return `\n${command.createHelp().boxWrap(statuses, widthColumns)}`;
    })
    .allowExcessArguments();
  const ofUser = operands.find(({ isCommand }) => isCommand);
  if (ofUser) command.usage(`[options] -- ${ofUser.name} [...]`).passThroughOptions();
  for (const { name: operand, help, needed, many, isCommand } of operands) {
    const word = many || isCommand ? `${operand}...` : operand;
    command.argument(needed ? `<${word}>` : `[${word}]`, help);
  }
  for (const [option, row] of Object.entries(options)) {
    const help = known === null ? '' : helpText(row, known);
    const flag = new Option(flagsOf(option, row), help).helpGroup(`${row.group}:`);
    command.addOption(row.repeats ? flag.argParser(asLines) : flag);
    if (!row.repeats) refuseSecond(command, option, row);
  }
}

/** The library would keep the last value alone. */
function refuseSecond(command: Command, option: string, { argument }: OptionRow): void {
  let isGiven = false;
  command.on(`option:${option}`, () => {
    if (isGiven) {
      const remedy = argument?.includes(',') ? ', with commas between its values' : '';
      throw new UsageError(`--${option} occurs twice. Give it once${remedy}.`);
    }
    isGiven = true;
  });
}

function asLines(value: string, before: string | undefined): string {
  return before === undefined ? value : `${before}\n${value}`;
}

/** Help of an option, with its default. */
function helpText(
  { help, byDefault, defaultText = String(byDefault) }: OptionRow,
  known: KnownNames,
): string {
  const text = typeof help === 'string' ? help : help(known);
  return byDefault === undefined || byDefault === false ? text : `${text} (default ${defaultText})`;
}

function flagsOf(name: string, { argument }: OptionRow): string {
  if (argument === null) return `--${name}`;
  return argument.startsWith('[') ? `--${name} ${argument}` : `--${name} <${argument}>`;
}

function sentence(text: string): string {
  return `${text[0]?.toUpperCase()}${text.slice(1)}.`;
}

function exampleLines(command: string, examples: CommandRow['examples']): string[] {
  const lines = examples.flatMap(([words, what]) => [
    words === '' ? `  npm run ${command}` : `  npm run ${command} -- ${words}`,
    `      ${what}`,
  ]);
  return lines.length > 0 ? ['', ...lines] : [];
}

function givenTo(command: Command): RawOptions {
  const words = command.options.map(({ long }) => long);
  return Object.fromEntries(
    command.options.flatMap((option) => {
      const value: unknown = command.getOptionValue(option.attributeName());
      if (value === undefined) return [];
      const text = value === true ? '' : String(value);
      if (words.includes(text.split('=')[0])) {
        throw new UsageError(`--${option.name()}: expected a value, got the option ${text}.`);
      }
      return [[option.name(), text]];
    }),
  );
}

function assertOperands(command: string, row: CommandRow, got: readonly string[]): void {
  const { operands, options } = row;
  const last = operands.at(-1);
  if (last?.isCommand && got[0] !== '') return;
  if (last && got.includes('')) throw operandMissing(last.name, command);
  if (operands.some(({ many }) => many)) return;
  const over = got.slice(operands.length);
  if (over.length === 0) return;
  throw new UsageError(
    last
      ? `One ${last.name} at a time; there is also ${over.join(', ')}.`
      : `Unexpected argument ${over.join(' ')}.${optionsSentence(options)}`,
  );
}

function operandMissing(name: string, command: string | undefined): UsageError {
  return new UsageError(`${name} is missing.${helpSentence(command)}`);
}

/** @param command undefined: unknown command */
function helpSentence(command: string | undefined): string {
  return command === undefined ? '' : ` See npm run ${command} -- --help.`;
}

function usageError(
  { code, message }: CommanderError,
  commands: Commands,
  name: string | undefined,
): UsageError {
  const row = commandNamed(commands, name);
  const command = row && name;
  const [, word = ''] = /'([^']*)'/.exec(message) ?? [];
  const [option = ''] = word.split(/[ =]/);
  switch (code) {
    case 'commander.unknownOption':
      return new UsageError(
        row
          ? unknownOption(option, word, row.options)
          : `Unknown option ${option}.${commandsSentence(commands)}`,
      );
    case 'commander.optionMissingArgument':
      return new UsageError(`${option}: expected a value.${helpSentence(command)}`);
    case 'commander.missingArgument':
      return operandMissing(word, command);
    case 'commander.unknownCommand':
      return new UsageError(
        `Unknown command ${word}.${didYouMean(word, Object.keys(commands))}${commandsSentence(commands)}`,
      );
    case 'commander.help':
      return commandMissing(commands);
    default:
      return new UsageError(message.replace(/^error: /, ''));
  }
}

function commandMissing(commands: Commands): UsageError {
  return new UsageError(`A command is missing.${commandsSentence(commands)}`);
}

function commandsSentence(commands: Commands): string {
  return ` Commands: ${Object.keys(commands).join(', ')}.`;
}

function unknownOption(option: string, word: string, options: OptionTable): string {
  const known = optionWords(options);
  if (known.includes(option)) return `${word}: ${option} takes no value.`;
  return `Unknown option ${option}.${didYouMean(option, known)}${optionsSentence(options)}`;
}

function optionsSentence(options: OptionTable): string {
  return ` Options: ${optionWords(options).join(', ')}.`;
}

function optionWords(table: OptionTable): string[] {
  return Object.keys(table).map((name) => `--${name}`);
}
