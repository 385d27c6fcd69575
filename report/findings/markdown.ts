import { EXIT } from '../../ground/system/exit-status.ts';
import { printable } from '../../ground/system/printed.mjs';
import { countWithNoun } from '../../kit/text/number.ts';
import { type RuleOutcome, type RuleState, stateOfAll } from '../summary/fail-rule.ts';
import type { CommandOutcome, Finding, Findings } from './findings.ts';

/**
 * Findings as Markdown, for summaries of continuous integration.
 * @param mostBytes longer text is cut at the end of a line, with a note
 */
export function markdownOf({ findings, problem }: CommandOutcome, mostBytes: number): string {
  const lines = [
    `## quic-vs-https${findings ? `: ${plain(findings.title)}` : ''}`,
    ...(problem === null ? [] : [`**Not finished.** ${plain(problem)}`]),
    ...(findings ? linesOf(findings) : []),
  ];
  return cut(`${lines.join('\n\n')}\n`, mostBytes);
}

function linesOf({ rule, advice, answers, notes, report }: Findings): string[] {
  return [
    ...(rule ? [ruleLine(rule)] : []),
    ...advice.map(plain),
    ...answers.flatMap(answerLines),
    ...(notes.length > 0 ? [notes.map((note) => `- ${plain(note)}`).join('\n')] : []),
    `${report.name}: ${code(report.file)}`,
  ];
}

const LEADS: Readonly<Record<RuleState, (rule: string) => string>> = {
  broken: (rule) => `**Failed** (exit status ${EXIT.failIf}): ${rule} is met`,
  undecided: (rule) =>
    `**Undecided**, which is not a pass (exit status ${EXIT.undecided}): whether ${rule} holds is not known`,
  kept: (rule) => `**Passed**: ${rule} is not met`,
};

function ruleLine(outcome: RuleOutcome): string {
  const { rule, results } = outcome;
  const state = stateOfAll(outcome);
  const lead = LEADS[state](code(rule.text));
  if (state === 'kept') return `${lead} under any condition.`;
  const inState = results.filter((answer) => answer.state === state).length;
  return `${lead}, under ${inState} of ${countWithNoun(results.length, 'condition')}.`;
}

const STATES: Readonly<Record<RuleState, string>> = {
  broken: 'The rule is met.',
  undecided: 'The rule is undecided.',
  kept: 'The rule is not met.',
};

function answerLines({ condition, stacks, sentence, state, heads, rows }: Finding): string[] {
  return [
    `### ${plain(stacks)}, ${plain(condition)}`,
    `${plain(sentence)}${state ? ` **${STATES[state]}**` : ''}`,
    ...(rows.length > 0
      ? [[textLine(heads), tableLine(heads.map(() => '---')), ...rows.map(textLine)].join('\n')]
      : []),
  ];
}

function textLine(cells: readonly string[]): string {
  return tableLine(cells.map(plain));
}

function tableLine(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Names and messages come from pages and programs: escapes Markdown and links. */
function plain(text: string): string {
  return printable(text)
    .replace(/[\\`*_{}[\]<>&#|~$]/g, '\\$&')
    .replace(/\bwww\./gi, (start) => `${start.slice(0, 3)}&#46;`)
    .replaceAll('://', '&#58;//');
}

/** As code, between more backticks than the text has in a row. */
function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  const pad = /^`|`$/.test(text) ? ' ' : '';
  return `${fence}${pad}${printable(text)}${pad}${fence}`;
}

const CUT = '\nThe rest does not fit here; the report has it.\n';

function cut(text: string, mostBytes: number): string {
  if (Buffer.byteLength(text) <= mostBytes) return text;
  const room = mostBytes - Buffer.byteLength(CUT);
  if (room <= 0) return '';
  const whole = Buffer.from(text).subarray(0, room);
  return `${whole.subarray(0, whole.lastIndexOf('\n') + 1)}${CUT}`;
}
