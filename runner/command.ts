import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { sandboxWarning } from '../clients/chromium/sandbox.ts';
import { allExperiments, experimentOf, tablesOf } from '../experiments/index.ts';
import type { Slice } from '../experiments/planning.ts';
import { type Presets, presetNamed } from '../ground/options/preset.ts';
import { wordsOf } from '../ground/options/values.ts';
import { isLiveRun } from '../ground/records/network.ts';
import type { ExcludedStack } from '../ground/records/run.ts';
import { runFolder } from '../ground/records/run-folder.ts';
import { EXIT } from '../ground/system/exit-status.ts';
import { complain, print, printable } from '../ground/system/printed.mjs';
import { shellWord } from '../ground/system/shell-word.ts';
import { wrapText } from '../kit/text/terminal.ts';
import type { LoadStudies } from '../report/study.ts';
import type { RuleOutcome } from '../report/summary/fail-rule.ts';
import type { Summary } from '../report/summary/summary.ts';
import { summaryTable } from '../report/terminal.ts';
import { writeReport } from '../report/write.ts';
import { measureRun, remainingTrials } from './benchmark.ts';
import { spentMsOf } from './campaign/look.ts';
import { type PreparedRun, prepareRun } from './campaign/prepare.ts';
import { countMeasured, emptyTally, statusOf, type Tally } from './campaign/tally.ts';
import type { CommandLine } from './command-line/command-line.ts';
import { stacksToExclude } from './excluded-stacks.ts';
import { type Options, optionsOf } from './options.ts';
import { addressNotices, planNotices, udpBufferWarning } from './plan-notice.ts';
import { printEvent } from './progress.ts';
import { realFolder } from './real-folder.ts';
import { assertUnused } from './results.ts';
import { type Stop, stopOnSignals } from './stop.ts';
import { tracesFolderOf, writeTraces } from './traces.ts';

interface CommandContext {
  experiment: Slice;
  presets: Presets;
  studies: LoadStudies;
  stop: Stop;
}

/**
 * Checks the options of a command before the pages that it measures are recorded.
 * @throws UsageError with the wrong value and the valid ones
 */
export async function checkCommand(
  { given, operands }: CommandLine,
  experiment: Slice,
  loadStudies: LoadStudies,
): Promise<void> {
  const presets = given.preset === undefined ? {} : presetsOf(await loadStudies());
  const { out } = await readRunOptions({ given, operands }, { experiment, presets });
  if (out !== null) await assertUnused(realFolder('out', out));
}

/** Runs `npm run benchmark`: measures, then reports what was measured. Returns the exit status. */
export async function benchmarkCommand(
  line: CommandLine,
  experiment: Slice,
  loadStudies: LoadStudies,
): Promise<number> {
  // Only a preset or a resumed run can belong to a study.
  const { preset, resume } = line.given;
  const studies = preset === undefined && resume === undefined ? [] : await loadStudies();
  const presets = presetsOf(studies);
  if (preset !== undefined) presetNamed(preset, presets, experiment, allExperiments());
  const stop = stopOnSignals();
  const frame: CommandContext = {
    experiment,
    presets,
    studies: loadStudies,
    stop,
  };
  for (const series of studies.flatMap((study) => study.series ?? [])) {
    const { findSeries: seriesAsked } = await import('./series.ts');
    const measureSeries = seriesAsked(series, line.given);
    if (!measureSeries) continue;
    return measureSeries({
      async measure(given) {
        stop.soon.throwIfAborted();
        return benchmark({ given, words: wordsOf(given) }, frame);
      },
      async report(folder) {
        if (stop.now.aborted) return;
        print((await series.report(folder)).resultLine);
      },
    });
  }
  return benchmark(line, frame);
}

function presetsOf(studies: Awaited<ReturnType<LoadStudies>>): Presets {
  return Object.assign({}, ...studies.map((study) => study.presets));
}

async function readRunOptions(
  line: Pick<CommandLine, 'given' | 'operands'>,
  { experiment, presets }: Pick<CommandContext, 'experiment' | 'presets'>,
  excludedStacks: ExcludedStack[] = [],
): Promise<Options> {
  const options = optionsOf(line, experiment, presets, excludedStacks);
  // Reports an unknown format before hours of measuring.
  if (options.dialect !== null) await tablesOf(experiment, options.dialect);
  return options;
}

async function benchmark(
  {
    given,
    words,
    operands = [],
  }: Pick<CommandLine, 'given' | 'words'> & Partial<Pick<CommandLine, 'operands'>>,
  frame: CommandContext,
): Promise<number> {
  const begun = await readRunOptions({ given, operands }, frame);
  return withFindings(begun.findings, async (found) => {
    for (let options = begun; ; ) {
      let run: PreparedRun | undefined;
      try {
        run = await prepareRun(options, words, { signal: frame.stop.soon });
        if (options.invocation.freeze !== null) return freeze(run, options.invocation.freeze);
        return await measureAndReport(run, options, { ...frame, found });
      } catch (error) {
        // A run that has begun keeps its arms.
        if (run && existsSync(runFolder(run.folder).run)) throw error;
        const unusable = stacksToExclude(error, options);
        const excludedStacks = [...options.excludedStacks, ...unusable];
        // The baseline or the control may be among them.
        options = await readRunOptions({ given, operands }, frame, excludedStacks).catch(() => {
          throw error;
        });
        for (const { stack, reason } of unusable) warn(`Not measured: ${stack}: ${reason}`);
      }
    }
  });
}

type ReportFindings = (summary: Summary, outcome: RuleOutcome | null, reportFile: string) => void;

async function withFindings(
  files: Options['findings'],
  use: (found: ReportFindings) => Promise<number>,
): Promise<number> {
  const isAsked = files.junit !== null || files.markdown !== null;
  if (!isAsked && !process.env.GITHUB_STEP_SUMMARY) return use(() => {});
  const { withFindingsFiles } = await import('../report/findings/files.ts');
  const { findingsOfRun } = await import('../report/findings/findings.ts');
  return withFindingsFiles(files, (found) => use((...of) => found(findingsOfRun(...of))));
}

async function freeze({ record, traces }: PreparedRun, file: string): Promise<number> {
  const folder = tracesFolderOf(file);
  await writeTraces(folder, traces);
  // Fails if the file exists, even when two processes race for it.
  await writeFile(file, `${JSON.stringify(record, null, 2)}\n`, { flag: 'wx' });
  print(
    `Plan of ${record.trials.length} ${experimentOf(record).attempt[1]}: ${file}. Execute it with --plan ${shellWord(file)}, or a part of it with --shard I/N.${traces.length === 0 ? '' : ` Its recorded links are in ${folder}, and go with it.`}`,
  );
  return EXIT.ok;
}

async function measureAndReport(
  run: PreparedRun,
  options: Options,
  { stop, studies, found }: CommandContext & { found: ReportFindings },
): Promise<number> {
  const written = { studies, dialect: options.dialect };
  const ruling = options.failIf === null ? null : await import('../report/summary/fail-if.ts');
  const rule = ruling?.failRuleFor(run.record, options.failIf) ?? null;
  const reportFile = runFolder(run.folder).report;
  const output = options.invocation.progress === 'jsonl' ? events : texts;
  let tally = emptyTally();
  let summary: Summary | null = null;
  try {
    tally = await measure(run, stop);
  } catch (error) {
    // After an interruption, a server failure or a full disk, the kept loads can still be reported.
    if (!stop.now.aborted) {
      // Why the run ended is reported after this, and decides the exit status.
      const soFar = await report(run.folder, written, output, stop).catch(({ message }: Error) =>
        complain(
          `\nThe report could not be made: ${printable(message)}. When the cause is fixed: npm run report -- ${shellWord(run.folder)}`,
        ),
      );
      if (soFar) found(soFar, null, reportFile);
    }
    throw error;
  }
  if (!stop.now.aborted) summary = await report(run.folder, written, output, stop);
  const toMeasure = remainingTrials(run).filter(({ warmup }) => !warmup).length;
  const notMade = toMeasure - countMeasured(tally);
  // Loads that a worker has not made belong to other workers; those that a stopping rule dropped are not needed.
  const { budgetMs, queue } = options.invocation;
  const isLeft = budgetMs !== null && queue === null && !run.record.stopping && notMade > 0;
  if (isLeft) output.notMade(run, summary);
  const outcome = (rule && summary && ruling?.outcomeOf(rule, summary)) ?? null;
  if (summary) found(summary, outcome, reportFile);
  if (outcome === null) return statusOf(tally);
  const words = await import('../report/summary/fail-rule.ts');
  output.rule(outcome, words);
  return words.statusOf(outcome) ?? statusOf(tally);
}

async function measure(run: PreparedRun, stop: Stop): Promise<Tally> {
  const { queue } = run.invocation;
  const hasEnded = run.resumed?.looks.at(-1)?.end ?? null;
  // A run with a stopping rule may lack only its last look.
  const isDone = hasEnded !== null || (!run.record.stopping && remainingTrials(run).length === 0);
  if (queue === null && isDone) return emptyTally();
  const { live } = experimentOf(run.record).planning ?? {};
  if (isLiveRun(run.record) && live?.pauseMs) {
    const { livePageSentences } = await import('./live/sentences.ts');
    for (const sentence of [
      ...livePageSentences(run.record, remainingTrials(run), remainingMs(run)),
      sandboxWarnings(run.machine),
    ].flat())
      warn(sentence);
  }
  if (run.invocation.plan !== null || run.resumed) {
    for (const notice of addressNotices(run.record)) warn(notice);
  }
  if (!run.resumed) for (const notice of planNotices(run.record)) warn(notice);
  const warning = await udpBufferWarning(run.record.arms);
  if (warning !== null) warn(warning);
  if (queue === null) return measureRun(run, stop);
  const { withQueue } = await import('./queue/worker.ts');
  const made = await withQueue(run, queue, stop, (work) => measureRun(run, stop, work));
  return made ?? emptyTally();
}

/** The warnings of all browsers of a run, each once. */
function sandboxWarnings({ chromium, browsers = {} }: PreparedRun['machine']): string[] {
  const programs = [chromium, ...Object.values(browsers)];
  return [...new Set(programs.flatMap((program) => sandboxWarning(program) ?? []))];
}

/** Remaining budget of a run; null: no budget. */
function remainingMs({ record: { stopping }, resumed, invocation }: PreparedRun): number | null {
  return stopping ? stopping.budgetMs - (resumed ? spentMsOf(resumed) : 0) : invocation.budgetMs;
}

function warn(sentence: string): void {
  complain(wrapText(printable(sentence), process.stderr.columns));
}

async function report(
  folder: string,
  written: { studies: LoadStudies; dialect: string | null },
  output: typeof texts,
  stop: Stop,
): Promise<Summary | null> {
  const files = runFolder(folder);
  // No run.json: the path could not be created, so nothing was measured.
  if (!existsSync(files.run)) return null;
  if (existsSync(files.packets)) {
    const { readCaptures } = await import('./captures.ts');
    await readCaptures(folder, stop.soon);
  }
  const summary = await writeReport(folder, written);
  output.summary(summary, files.report);
  return summary;
}

type RuleWords = typeof import('../report/summary/fail-rule.ts');

/** Messages for people. */
const texts = {
  summary(summary: Summary, file: string) {
    print(summaryTable(summary, process.stdout.columns));
    print(`Report: ${file}`);
  },
  notMade({ folder }: PreparedRun, summary: Summary | null) {
    const left = missingLoadsBySite(summary);
    print(
      `The budget is used up. Not made: ${left.map(({ subject, loads }) => `${loads} of ${subject}`).join(', ')}. To make them: --resume ${shellWord(folder)}`,
    );
  },
  rule(outcome: RuleOutcome, { outcomeLines }: RuleWords) {
    for (const line of outcomeLines(outcome)) {
      print(wrapText(line, process.stdout.columns));
    }
  },
};

/** Events for programs. */
const events: typeof texts = {
  summary({ progress }, file) {
    printEvent('report', { ...progress, file });
  },
  notMade({ folder }, summary) {
    printEvent('budget-used', { notMade: missingLoadsBySite(summary), folder });
  },
  rule(outcome, { sentencesOf }) {
    const rule = outcome.rule.text;
    for (const sentence of sentencesOf(outcome, 'broken')) {
      printEvent('rule-broken', { rule, sentence });
    }
    for (const sentence of sentencesOf(outcome, 'undecided')) {
      printEvent('rule-undecided', { rule, sentence });
    }
  },
};

/** Number of planned loads of each site that have not been made. */
function missingLoadsBySite(summary: Summary | null): { subject: string; loads: number }[] {
  const rows = Map.groupBy(summary?.rows ?? [], ({ subject }) => subject);
  return [...rows]
    .map(([subject, own]) => ({
      subject,
      loads: own.reduce((sum, row) => sum + row.nPlanned - row.nOk - row.nFailed - row.nInvalid, 0),
    }))
    .filter(({ loads }) => loads > 0);
}
