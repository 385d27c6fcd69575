// Rejects retired words in shipped source and documents, long sentences and lines in documents, and
// links that lead nowhere. Files or folders as arguments limit the check to them.
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { KINDS } from './amputation/kinds.ts';
import { isTest, root } from './unit/shipped-files.ts';

const MAX_SENTENCE_WORDS = 35;
const MAX_LINE_CHARACTERS = 100;

/** Retired words, as patterns, with what to write instead. */
const RETIRED: ReadonlyArray<readonly [pattern: string, instead: string]> = [
  ['told|tell|tells|telling|tellers?', 'decide, report, say'],
  ['ask|asks|asked|asking|askers?', 'request, client, option value'],
  ['(?:what|nothing|which) (?:came|comes|become|becomes|became|is made) of', 'result, output'],
  ['whoever|whomever|whatever|nobody|anybody|somebody', 'name the subject'],
  ['(?:is|are|was|were|be|as|that|has) (?-i:none)|none of', 'not valid, missing, no'],
  ['beside', 'next to, in addition to, together with'],
  ['others|the other ones', 'name them'],
  ['hear|hears|heard', 'receive, re-fetch'],
  ['rungs?', 'representation, quality level'],
  ['ledgers?|(?:left|leave|leaves|leaving) out', 'exclusions, exclude, omit'],
  ['surroundings', 'environment, test bed'],
  ['inhabitants?', 'processes in the namespace'],
  ['companions?', 'helper process'],
  ['standing attempts?', 'counted attempt'],
  ['(?<!--)via', 'transport, by, over'],
  ['rais(?:e|es|ed|ing) (?:a|the|this|that|its|each|every) limits?', 'relax a limit'],
  ['sparing|spared', 'skip, skipped'],
  ['sights', 'evidence, observations'],
  ['so many|that many', 'the number'],
  ['in the middle', 'median, halfway, during'],
  ['(?:is|are) of', 'belongs to, has'],
];

/** Places where a retired word has another, usual meaning. At most 30. */
const EXCEPTIONS: ReadonlyArray<{ file: string; word: RegExp; why: string }> = [
  { file: 'test/check-english.ts', word: /./, why: 'the list itself' },
  { file: 'cache/generator/document.ts', word: /^ask$/, why: 'bytes of generated pages' },
  { file: 'cache/generator/page.ts', word: /^none of$/, why: 'bytes of generated pages' },
  { file: 'cache/importers/*/exchanges.ts', word: /^via$/, why: 'a field of WARC' },
  { file: 'cache/manifest.ts', word: /^rungs$/, why: 'a field before format 6' },
  { file: 'clients/*/connect_program.py', word: /^nobody$/, why: 'an option of libcurl' },
  {
    file: '{ground/records/{older-format,read},experiments/*/{experiment,read/own}}.ts',
    word: /^(via|asked|told|rung)$/,
    why: 'fields before format 6',
  },
  {
    file: '{experiments/*/{options,planning},studies/*/preset,tools/by-hand/get{,-options}}.ts',
    word: /^via$/,
    why: 'the option --via',
  },
  { file: 'servers/**/*.{ts,md}', word: /^via$/i, why: 'a field of HTTP' },
  { file: 'studies/*/README.md', word: /^tell$/, why: 'a recorded version of Bun' },
  { file: 'studies/*/ladder/ladder.ts', word: /^rung$/, why: 'part of a seed' },
];

const BETWEEN_WORDS = String.raw`\s+(?:(?://|\*|#)\s*)?`;
const RETIRED_WORD = new RegExp(
  RETIRED.map(
    ([words]) => String.raw`(?<![\w$])(${words.replaceAll(' ', BETWEEN_WORDS)})(?![\w$])`,
  ).join('|'),
  'gi',
);

const SOURCE_FILES = '**/*.{ts,mjs,cjs,js,py,c,h,go,lua,sh}';
const WITHOUT = [
  '{node_modules,.venv,.setup,exports}',
  'cache/{sites,videos,sizes,objects}',
  'results/*/**',
  '**/test/**/fixtures/**',
  '**/*.d.ts',
];

interface Finding {
  file: string;
  line: number;
  text: string;
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

/** Retired words in a source file or a page, its path included. */
export function retiredWords(file: string, text: string): Finding[] {
  return [...`${file}\n${text}`.matchAll(RETIRED_WORD)].flatMap((match) => {
    const word = match[0].toLowerCase();
    const isExcepted = EXCEPTIONS.some(
      (each) => path.matchesGlob(file, each.file) && each.word.test(word),
    );
    if (isExcepted) return [];
    const instead = RETIRED[match.slice(1).findIndex((group) => group !== undefined)]?.[1];
    const line = lineAt(`${file}\n${text}`, match.index) - 1;
    return [{ file, line, text: `"${word.replaceAll(/\s+/g, ' ')}" is retired: ${instead}` }];
  });
}

/** The text of a page without code; lines stay where they are. */
function prose(text: string): string {
  return text
    .replaceAll(/^(```|~~~)[\s\S]*?^\1.*$/gm, (code) => code.replaceAll(/[^\n]/g, ''))
    .replaceAll(/<!--[\s\S]*?-->/g, (comment) => comment.replaceAll(/[^\n]/g, ''))
    .replaceAll(/`[^`]+`/g, (code) => code.replaceAll(/[^\n]/g, 'x'))
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, (_, name: string) => name);
}

function longSentences(file: string, text: string): Finding[] {
  return [
    ...prose(text).matchAll(/(?:(?!\n\s*(?:[-*>|#]|\d+\.)|\n\s*\n|[.!?:]\)?\s|\|)[\s\S])+/g),
  ].flatMap(({ 0: sentence, index }) => {
    const words = sentence.match(/[\p{L}\p{N}][^\s]*/gu) ?? [];
    if (words.length <= MAX_SENTENCE_WORDS) return [];
    const start = index + sentence.length - sentence.trimStart().length;
    return [
      { file, line: lineAt(prose(text), start), text: `a sentence of ${words.length} words` },
    ];
  });
}

function longLines(file: string, text: string): Finding[] {
  const lines = text.replaceAll(/\]\([^)]*\)/g, ']').split('\n');
  const code = prose(text).split('\n');
  return lines.flatMap((line, index) => {
    const isProse = code[index] !== '' && !/^\s*\||https?:|^<|^!\[/.test(line);
    return isProse && line.length > MAX_LINE_CHARACTERS
      ? [{ file, line: index + 1, text: `a line of ${line.length} characters` }]
      : [];
  });
}

function textOf(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): string[] {
  return [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Whether a path leads into a slice that was removed: pages may link to slices. */
function isOfRemovedSlice(target: string): boolean {
  return KINDS.some(({ folder }) => {
    const [name, ...inside] = path.relative(folder, target).split(path.sep);
    const isInSlice = name !== undefined && /^[\w-]+$/.test(name) && inside.length > 0;
    return isInSlice && !existsSync(path.join(root, folder, name));
  });
}

function brokenLinks(file: string, text: string): Finding[] {
  return [...text.matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?\)/g)].flatMap((link) => {
    const [all, to = '', anchor] = link;
    const target = to === '' ? file : path.join(path.dirname(file), to);
    if (isOfRemovedSlice(target)) return [];
    const leads =
      existsSync(path.join(root, target)) &&
      (anchor === undefined || anchorsOf(target).includes(anchor));
    return leads
      ? []
      : [{ file, line: lineAt(text, link.index), text: `leads nowhere: ${all.slice(1)}` }];
  });
}

/** What a page has to be changed in. */
export function findingsInPage(file: string, text: string): Finding[] {
  return [retiredWords, longSentences, longLines, brokenLinks].flatMap((find) => find(file, text));
}

function check(limits: string[]): Finding[] {
  const isWanted = (file: string) =>
    limits.length === 0 || limits.some((limit) => file === limit || file.startsWith(`${limit}/`));
  const filesOf = (pattern: string) =>
    globSync(pattern, { cwd: root, exclude: WITHOUT }).toSorted().filter(isWanted);
  const sources = filesOf(SOURCE_FILES).filter(
    (file) => !isTest(file) || file.startsWith('test/check-'),
  );
  const pages = filesOf('**/*.md');
  if (sources.length + pages.length === 0)
    throw new Error('There is no source file and no page to check.');
  return [
    ...sources.flatMap((file) => retiredWords(file, textOf(file))),
    ...pages.flatMap((page) => findingsInPage(page, textOf(page))),
  ];
}

if (import.meta.main) {
  const findings = check(
    process.argv.slice(2).map((file) => path.relative(root, path.resolve(file))),
  );
  for (const { file, line, text } of findings) console.error(`${file}:${line}: ${text}`);
  process.exitCode = findings.length > 0 ? 1 : 0;
}
