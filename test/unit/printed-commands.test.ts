// biome-ignore-all lint/suspicious/noTemplateCurlyInString: sources and words that have them are what this is about.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root, shippedFiles } from './shipped-files.ts';
import { type Template, templatesIn } from './template-literals.ts';

/** Beginnings of commands that a user copies, and options of commands. */
const COMMAND =
  /(?:\b(?:npm run|npm exec|npx|node|tshark -\w|chmod|chown|kill|sudo|curl|wget|apt-get|pip install|modprobe|sysctl|docker|redis-cli|warcio|openssl|chromium|rm|cp|mv) |(?<=[\s([`'"])--[a-z][a-z-]*[ =]$)/g;

/** Ends of a command in a sentence. */
const END = /[.,;:?!]\s|[`")\n]|[.,;:]$/;

/** Unquoted parts of commands, by files, with the reasons. */
const EXCEPTIONS: readonly string[] = [
  // Usage and options of this project's own commands, for its help.
  'runner/command-line/command-line.ts: command.usage()',
  'runner/command-line/command-line.ts: words',
  // Words that shellWord() quotes a line before, as markup.
  'report/sections/method.ts: options',
  // A nested template, which is checked like any other.
  'experiments/page-load/experiment.ts: name',
  // Numbers.
  'runner/campaign/folder-lock.ts: owner.pid',
  'kit/text/end.ts: minutesText(4 * budgetMs)',
  'kit/text/verdict.ts: repetitions',
  'report/text/answers.ts: Math.ceil(repetitions) + more',
  'tools/doctor/http3/browser-words.ts: port',
  'runner/plan-notice.ts: repetitions',
  // One of the existing algorithms, and the packages that this project names.
  'network/kernel-congestion-control.ts: name',
  "tools/doctor/checks/network.ts: missing.join(' and ')",
  'tools/doctor/checks/network.ts: packages',
  "setup/system-programs.ts: packages.join(' ')",
];

/**
 * The expressions that a template inserts into commands other than by shellWord() and shellLine().
 */
function unquotedIn({ parts }: Template): string[] {
  const found: string[] = [];
  let isInCommand = false;
  // An error begins with its options: `--plan FILE with --shard I/N: the plan ...`
  const [first] = parts;
  let isSubject = first !== undefined && 'text' in first && first.text.startsWith('--');
  for (const [place, part] of parts.entries()) {
    if ('text' in part) {
      if (place > 0 && END.test(part.text)) isSubject = false;
      const last = [...part.text.matchAll(COMMAND)].at(-1);
      const rest = last ? part.text.slice(last.index + last[0].length) : part.text;
      isInCommand = (last !== undefined || isInCommand) && !END.test(rest);
      continue;
    }
    const before = parts[place - 1];
    // Scripts have names of this project's own, and so do words in capital letters.
    const isOwn =
      (before && 'text' in before && before.text.endsWith('npm run ')) ||
      /^[A-Z][A-Z_]+$/.test(part.source);
    if (isInCommand && !isSubject && !isOwn && !/\bshell(Word|Line|Options)\(/.test(part.source)) {
      found.push(part.source);
    }
  }
  return found;
}

test('every value in a command that is printed for copying is quoted', () => {
  const files = shippedFiles();
  let templates = 0;
  const found = files.flatMap((file) => {
    const all = templatesIn(readFileSync(path.join(root, file), 'utf8'));
    templates += all.length;
    return all.flatMap((template) => unquotedIn(template).map((source) => `${file}: ${source}`));
  });
  assert.ok(templates > 1500, `${templates}`);
  assert.deepEqual([...new Set(found)].toSorted(), EXCEPTIONS.toSorted());
});

test('the rule finds such values, and nothing else', () => {
  const found = (source: string) => templatesIn(source).flatMap(unquotedIn);
  const unquoted = [
    '`Import it: npm run import -- ${file}`',
    "`Try ${'`'} chmod +x ${file}`",
    '`kill ${pid}`',
    '`${a}: continue it with --resume ${folder}, or not.`',
    '`--out ${a} exists. Resume it: --resume ${folder}`',
    '`a ${b ? `Read it: tshark -r ${file}` : ""}`',
    '`npm run x -- --site ${shellWord(site)} --out ${folder}`',
    '/`/.test(a); `curl ${url}`',
  ];
  for (const source of unquoted) assert.equal(found(source).length, 1, source);
  const fine = [
    '`npm run import -- ${shellWord(file)}`',
    '`--plan ${file}: ${problem}`',
    '`npm run ${command}`',
    '`tshark cannot read it: ${reason}`',
    '`npm run report. It has ${count} loads`',
    '// `kill ${pid}`',
    "'`kill ${pid}`'",
  ];
  for (const source of fine) assert.deepEqual(found(source), [], source);
});
