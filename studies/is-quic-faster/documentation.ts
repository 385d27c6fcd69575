import path from 'node:path';
import { PACKAGE_PAGES } from '../../cache/packages/package-pages.ts';
import { readShapes } from '../../cache/shapes/shapes.ts';
import { replaceGenerated } from '../../ground/system/generated-part.ts';
import { readPlainTextSync } from '../../ground/system/plain-file.ts';
import { estimateText, ratioText, ratioWithInterval, withSign } from '../../kit/text/estimate.ts';
import {
  bytesText,
  countText,
  countWithNoun,
  momentText,
  threeDigits,
} from '../../kit/text/number.ts';
import { wrapText } from '../../kit/text/terminal.ts';
import type { StudyDocument } from '../../report/study.ts';
import type { PrimaryAnswer } from '../../report/summary/comparison.ts';
import { geometricMeanRatio } from '../../statistics/geometric-mean-ratio.ts';
import { answerText, type ComparedPair, conditionsOf, metricOf, pairsOf } from './answers.ts';
import { answersFigure, type Figure, pairsOfProtocols } from './charts.ts';
import { pagesOfRule, sizeOf } from './pages.ts';
import { BASE, PARTS } from './parts.ts';
import { type PartResult, readResults } from './result.ts';

interface Documentation {
  text: string;
  figures: Figure[];
}

/** The study's page and figures, from the stored results. */
export function documents(): StudyDocument[] {
  const { text, figures } = documentationOf(readResults());
  const page = readPlainTextSync(path.join(import.meta.dirname, 'README.md'));
  return [
    {
      file: 'README.md',
      content: replaceGenerated(page, text.replaceAll(/^[^|!#\n].*/gm, inLines)),
    },
    ...figures.map(({ file, svg }) => ({ file, content: svg })),
  ];
}

function inLines(paragraph: string): string {
  return wrapText(paragraph, 100);
}

export function documentationOf(results: readonly PartResult[]): Documentation {
  const main = results.find(({ part }) => part === BASE[0]);
  const further = results.filter((result) => result !== main);
  const figuresOf = (name: string, parts: readonly PartResult[]) =>
    (parts[0] ? pairsOfProtocols(parts[0]) : []).flatMap(
      (pair) => answersFigure(name, parts, pair) ?? [],
    );
  const [ofMain, ofFurther] = [
    figuresOf('networks', main ? [main] : []),
    figuresOf('one-thing', further),
  ];
  const missing = PARTS.filter(({ name }) => !results.some(({ part }) => part === name));
  const sections = [
    ...(results.length > 0 && missing.length > 0
      ? [`**Not measured yet:** ${missing.map(({ title }) => title).join('; ')}.`]
      : []),
    ...(main
      ? [
          `## The answer in numbers\n\n${partText(main)}\n\n${images(ofMain)}`,
          pageTables(main),
          costTable(main),
        ]
      : []),
    ...(further.length > 0
      ? [
          `## One thing at a time\n\nOn ${countWithNoun(new Set(further.flatMap(subjectsOf)).size, 'page')}: each part changes one thing in the network or the servers.\n\n${images(ofFurther)}`,
          ...further.map((result) => `### ${titleOf(result)}\n\n${partText(result)}`),
        ]
      : []),
    ...(results.length > 0 ? [loadTable(results)] : []),
    pagesText(main),
  ];
  return { text: `\n${sections.join('\n\n')}\n`, figures: [...ofMain, ...ofFurther] };
}

function titleOf({ part }: PartResult): string {
  return PARTS.find(({ name }) => name === part)?.title ?? part;
}

function questionOf({ part }: PartResult): string {
  return PARTS.find(({ name }) => name === part)?.question ?? '';
}

function images(figures: readonly Figure[]): string {
  return figures.map(({ alt, file }) => `![${alt}](${file})`).join('\n\n');
}

function subjectsOf({ loads }: PartResult): string[] {
  return [...new Set(loads.map(({ subject }) => subject))];
}

function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(heading), line(heading.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A part's question and answers: a row for each condition, a column for each pair of stacks. */
function partText(result: PartResult): string {
  const metric = metricOf(result);
  const pairs = pairsOf(result);
  const rows = conditionsOf(result).map(({ name, text, answers }) => [
    name,
    text === name ? '' : text,
    ...pairs.map(({ arm, baseline }) => {
      const answer = answers.find((each) => each.arm === arm && each.baseline === baseline);
      const words = answerText(answer, metric);
      if (!answer) return words;
      const emphasised =
        answer.verdict === 'undecided' ? words : words.replace(/^[^(]*[^( ]/, '**$&**');
      return [emphasised, ...otherNumbers(result, answer)].join('<br>');
    }),
  ]);
  return `${questionOf(result)} ${metric.phrase.charAt(0).toUpperCase()}${metric.phrase.slice(1)}; below each answer the same in ms, the least and the greatest ratio of a page${result.answers.some(({ pagesLikeThese }) => pagesLikeThese) ? ', and where the ratio of one more page like these is to be expected (95 %)' : ''}.\n\n${[table(['condition', 'network and visit', ...pairs.map(({ title }) => title)], rows), notesOf(result)].filter((text) => text !== '').join('\n\n')}`;
}

function otherNumbers(result: PartResult, answer: PrimaryAnswer): string[] {
  const { difference, pagesLikeThese } = answer;
  const ms = estimateText(difference, (value) => withSign(value, threeDigits));
  const ratios = pagesOf(result, answer).flatMap(({ ratio }) => ratio?.estimate ?? []);
  const more = pagesLikeThese?.ofOneMore;
  return [
    ...(ms === null ? [] : [`${ms} ms`]),
    `pages ${ratioText(Math.min(...ratios))} to ${ratioText(Math.max(...ratios))}`,
    ...(more ? [`one more ${ratioText(more.low)} to ${ratioText(more.high)}`] : []),
  ];
}

function notesOf(result: PartResult): string {
  return conditionsOf(result)
    .flatMap(({ name, answers }) =>
      answers.flatMap(({ notes }) => notes.map((note) => `- ${name}: ${note}`)),
    )
    .join('\n');
}

function pagesOf(
  { pages }: PartResult,
  { arm, baseline, network, variant }: PrimaryAnswer,
): PartResult['pages'] {
  return pages.filter(
    (page) =>
      page.arm === arm &&
      page.baseline === baseline &&
      page.network === network &&
      page.variant === variant,
  );
}

/** The ratio of every page under every condition, with its own interval. */
function pageTables(main: PartResult): string {
  const conditions = conditionsOf(main);
  const ofPair = ({ arm, baseline, title }: ComparedPair) => {
    const columns = conditions.map(({ answers }) =>
      answers
        .filter((each) => each.arm === arm && each.baseline === baseline)
        .flatMap((answer) => pagesOf(main, answer)),
    );
    const rows = subjectsOf(main).map((subject) => [
      subject,
      ...columns.map((pages) => {
        const { ratio = null } = pages.find((page) => page.subject === subject) ?? {};
        return ratio ? ratioWithInterval(ratio) : '–';
      }),
    ]);
    return `${title}:\n\n${table(['page', ...conditions.map(({ name }) => name)], rows)}`;
  };
  return `### Page by page\n\nRatios with 95 % intervals, each by itself; below 1, HTTP/3 takes less time. Some of these many intervals miss the truth: verdicts are about all pages together.\n\n${pairsOfProtocols(main).map(ofPair).join('\n\n')}`;
}

/** Ratio of the server programs' processor time of HTTP/3, under every condition. */
function costTable(main: PartResult): string {
  const pairs = pairsOfProtocols(main);
  const rows = conditionsOf(main).map(({ name, answers: [first] }) => {
    const taken = (subject: string, arm: string) =>
      main.loads.find(
        (each) =>
          each.subject === subject &&
          each.arm === arm &&
          each.network === first?.network &&
          each.variant === first?.variant,
      )?.serverCpuMs;
    const cells = pairs.map(({ arm, baseline }) => {
      const ratios = subjectsOf(main).flatMap((subject) => {
        const [own, other] = [taken(subject, arm), taken(subject, baseline)];
        return own && other ? [own / other] : [];
      });
      const pooled = geometricMeanRatio(ratios.map((ratio) => [Math.log(ratio)]));
      if (!pooled) return '–';
      return `${ratioText(pooled.ratio)} (${ratioText(Math.min(...ratios))} to ${ratioText(Math.max(...ratios))})`;
    });
    return [name, ...cells];
  });
  return `### What it takes of the servers\n\nProcessor time of the server's program for a page, as a ratio of medians: geometric mean over the pages, and the least and most of a page. What the kernel does of TCP outside any program is not in it.\n\n${table(['condition', ...pairs.map(({ title }) => title)], rows)}`;
}

/** From the start to the last load, rounded up. */
function minutesOf({
  startedAt,
  lastLoadAt,
}: Pick<PartResult, 'startedAt' | 'lastLoadAt'>): number {
  return Math.ceil((Date.parse(lastLoadAt) - Date.parse(startedAt)) / 60_000);
}

/** Planned loads and their outcomes, by stack, with reasons. */
function loadTable(results: readonly PartResult[]): string {
  const rows = results.flatMap((result) => {
    const { loads, arms, reasons } = result;
    return arms.map(({ arm, label }, index) => {
      const own = loads.filter((each) => each.arm === arm);
      const sum = (field: 'nPlanned' | 'nOk' | 'nFailed' | 'nInvalid') =>
        countText(own.reduce((total, each) => total + each[field], 0));
      const why = reasons.map(({ code, count }) => `${code} ${count}`).join(', ');
      return [
        index === 0 ? titleOf(result) : '',
        label,
        sum('nPlanned'),
        sum('nOk'),
        sum('nFailed'),
        sum('nInvalid'),
        index === 0 ? why : '',
      ];
    });
  });
  const made = results.map(
    ({ part, plannedAt, startedAt, lastLoadAt, repetitions, disturbedLoads, planSha256 }) => {
      const minutes = minutesOf({ startedAt, lastLoadAt });
      return `- ${part}: plan \`${planSha256.slice(0, 12)}\` frozen ${momentText(plannedAt)}, measured from ${momentText(startedAt)} within ${countWithNoun(minutes, 'minute')}, ${repetitions} repetitions, ${countWithNoun(disturbedLoads, 'load')} while the machine was not quiet`;
    },
  );
  const nLoads = results
    .flatMap(({ loads }) => loads)
    .reduce((sum, { nPlanned }) => sum + nPlanned, 0);
  const minutes = results.map(minutesOf).reduce((sum, each) => sum + each, 0);
  const [{ host, versions } = { host: null, versions: {} }] = results;
  const machine = host
    ? `Measured on ${host.cores} cores of ${host.cpu}, ${host.os}, Linux ${host.kernel}. `
    : '';
  return `## What was measured, and what did not count\n\n${machine}Versions: ${Object.entries(
    versions,
  )
    .map(([program, version]) => `${program} ${version}`)
    .join(
      ', ',
    )}.\n\n${countWithNoun(nLoads, 'load')} in ${countWithNoun(minutes, 'minute')}, warm-ups and calibrations included in the time:\n\n${made.join('\n')}\n\n${table(
    ['part', 'stack', 'loads', 'ok', 'failed', 'invalid', 'why, all stacks together'],
    rows,
  )}`;
}

/** The pages with the numbers that the rule uses, and the measured ones with their served bytes. */
function pagesText(main: PartResult | undefined): string {
  const { real, quarters } = pagesOfRule();
  const shapes = readShapes();
  const servedText = (site: string) => {
    const planned = main?.subjects.find(({ subject }) => subject === site);
    return planned?.wireBytes ? bytesText(planned.wireBytes) : '';
  };
  const rowOf = (site: string, chosenAs: string) => {
    const shape = shapes.find((each) => each.site === site);
    if (!shape) throw new Error(`no shape of ${site}`);
    const { hosts, wireBytes } = sizeOf(shape);
    const resources = countText(shape.objects.length);
    return [site, chosenAs, bytesText(wireBytes), servedText(site), resources, String(hosts)];
  };
  const realRows = PACKAGE_PAGES.filter(({ site }) => real.includes(site)).map(
    ({ site, what, parts }) => [
      site,
      `real: ${what} of ${parts[0]?.package} ${parts[0]?.version}`,
      '',
      servedText(site),
      countText(parts.flatMap(({ files }) => files).length),
      '1',
    ],
  );
  const generated = quarters.flatMap(({ fewHosts, manyHosts }, index) => [
    rowOf(fewHosts, `quarter ${index + 1} of sizes, fewer hosts`),
    rowOf(manyHosts, `quarter ${index + 1} of sizes, more hosts`),
  ]);
  return `## The pages\n\n${table(
    ['page', 'chosen as', 'published in 2018', 'served here', 'resources', 'hosts'],
    [...realRows, ...generated],
  )}`;
}
