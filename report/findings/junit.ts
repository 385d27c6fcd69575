import { printable } from '../../ground/system/printed.mjs';
import { html, type Markup } from '../../kit/page/markup.ts';
import { capitalize } from '../../kit/text/capitalize.ts';
import type { RuleOutcome } from '../summary/fail-rule.ts';
import type { CommandOutcome, Finding, Findings } from './findings.ts';

/** Why a test case did not pass: failure of the tested server, or no answer. */
interface Trouble {
  kind: 'failure' | 'error';
  type: string;
  lines: readonly string[];
}

interface TestCase {
  className: string;
  name: string;
  /** null: the test case passed. */
  trouble: Trouble | null;
  /** Further lines. */
  output: readonly string[];
}

interface Suite {
  name: string;
  cases: readonly TestCase[];
}

/**
 * Findings in JUnit's format for continuous integration. Each condition that a rule concerns is a test case: a failure if the
 * rule is met, an error if it is undecided. One more for each run reports whether every attempt counts, and one whether the command ended.
 */
export function junitOf({ findings, problem }: CommandOutcome): string {
  const suites: Suite[] = [
    ...(findings?.rule ? [ruleSuite(findings.rule, findings.answers)] : []),
    ...(findings?.attempts ?? []).map(attemptsSuite),
    { name: 'command', cases: [testCase('command', 'ended', troubleOf('not finished', problem))] },
  ];
  const all = { name: 'quic-vs-https', cases: suites.flatMap(({ cases }) => cases) };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${html`<testsuites ${attributesOf(all)}>
${suites.map(
  (suite) => html`<testsuite ${attributesOf(suite)} skipped="0">
${suite.cases.map(caseElement)}</testsuite>
`,
)}</testsuites>
`}`;
}

const TROUBLES = {
  broken: { kind: 'failure', type: 'met' },
  undecided: { kind: 'error', type: 'undecided' },
} as const;

function ruleSuite({ rule, results }: RuleOutcome, answers: readonly Finding[]): Suite {
  const concerned = answers.filter(({ state }) => state !== null);
  const cases = concerned.map(({ condition, sentence, state, heads, rows }) => {
    const numbers = [heads, ...rows].map((cells) => cells.join(' | '));
    return state === 'kept' || state === null
      ? testCase(rule.text, condition, null, [sentence, ...numbers])
      : testCase(rule.text, condition, {
          ...TROUBLES[state],
          lines: [`${capitalize(TROUBLES[state].type)}: ${sentence}`, ...numbers],
        });
  });
  if (cases.length > 0) return { name: '--fail-if', cases };
  const lines = results.map(({ sentence }) => sentence);
  const nothing = { ...TROUBLES.undecided, lines };
  return { name: '--fail-if', cases: [testCase(rule.text, 'any condition', nothing)] };
}

function attemptsSuite({ name, problems }: Findings['attempts'][number]): Suite {
  const trouble = problems.length === 0 ? null : problems.join('\n');
  return { name, cases: [testCase(name, 'every one counts', troubleOf('excluded', trouble))] };
}

function testCase(
  className: string,
  name: string,
  trouble: Trouble | null,
  output: readonly string[] = [],
): TestCase {
  return { className, name, trouble, output };
}

function troubleOf(type: string, text: string | null): Trouble | null {
  return text === null ? null : { kind: 'error', type, lines: text.split('\n') };
}

function attributesOf({ name, cases }: Suite): Markup {
  const count = (kind: Trouble['kind']) =>
    cases.filter(({ trouble }) => trouble?.kind === kind).length;
  return html`name="${xmlText(name)}" tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}"`;
}

function caseElement({ className, name, trouble, output }: TestCase): Markup {
  return html`<testcase classname="${xmlText(className)}" name="${xmlText(name)}">${trouble && troubleElement(trouble)}${output.length > 0 && html`<system-out>${linesText(output)}</system-out>`}</testcase>
`;
}

function troubleElement({ kind, type, lines }: Trouble): Markup {
  const [message = ''] = lines;
  const attributes = html`type="${type}" message="${xmlText(message)}"`;
  return kind === 'failure'
    ? html`<failure ${attributes}>${linesText(lines)}</failure>`
    : html`<error ${attributes}>${linesText(lines)}</error>`;
}

function linesText(lines: readonly string[]): string {
  return lines.map(xmlText).join('\n');
}

/** XML has no place for control characters, unpaired surrogates, U+FFFE and U+FFFF. */
function xmlText(text: string): string {
  return printable(text)
    .toWellFormed()
    .replace(/[\uFFFE\uFFFF]/g, '?');
}
