import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startCommand } from './e2e/command.ts';
import { assertNoProcessLeft } from './e2e/left-behind.ts';
import { root } from './unit/shipped-files.ts';
import { readYaml } from './yaml.ts';

interface ActionStep {
  name: string;
  id?: string;
  if?: string;
  env: Record<string, string>;
  run: string;
}

interface Action {
  inputs: Record<string, { description: string; default: string }>;
  outputs: Record<string, { description: string; value: string }>;
  runs: { steps: ActionStep[] };
}

export interface ActionRun {
  /** Of the first step that failed; 0: every step passed. */
  status: number | null;
  output: string;
  outputs: Record<string, string>;
  /** The step summary. */
  summary: string;
}

export const ACTION = readYaml(readFileSync(path.join(root, 'action.yml'), 'utf8')) as Action;

/**
 * Runs the steps of the action one after the other, as GitHub's runner does.
 * @param values of expressions, such as `inputs.server`
 * @param workspace checkout of a repository
 * @param temporary gets RUNNER_TEMP and the files of a runner
 */
export async function runAction(
  values: Readonly<Record<string, string>>,
  workspace: string,
  temporary: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ActionRun> {
  const context: Record<string, string> = Object.fromEntries(
    Object.entries(ACTION.inputs).map(([name, input]) => [`inputs.${name}`, input.default]),
  );
  Object.assign(context, values);
  const summary = path.join(temporary, 'summary.md');
  const runnerTemp = path.join(temporary, 'temp');
  mkdirSync(runnerTemp, { recursive: true });
  let status: number | null = 0;
  let output = '';
  for (const [index, step] of ACTION.runs.steps.entries()) {
    if (status !== 0 && step.if !== 'always()') continue;
    const script = path.join(temporary, `step-${index}.sh`);
    const results = path.join(temporary, `output-${index}`);
    writeFileSync(script, step.run);
    writeFileSync(results, '');
    const words = ['--noprofile', '--norc', '-eo', 'pipefail', script];
    const command = startCommand('env', ['-C', workspace, 'bash', ...words], {
      ...withoutNpm(),
      GITHUB_ACTION_PATH: root,
      GITHUB_WORKSPACE: workspace,
      GITHUB_EVENT_NAME: 'pull_request',
      GITHUB_SHA: '',
      GITHUB_OUTPUT: results,
      GITHUB_STEP_SUMMARY: summary,
      RUNNER_TEMP: runnerTemp,
      RUNNER_ENVIRONMENT: 'self-hosted',
      ...env,
      ...Object.fromEntries(
        Object.entries(step.env).map(([name, text]) => [name, evaluated(text, context)]),
      ),
    });
    const ended = await command.ended;
    await assertNoProcessLeft(command);
    output += command.output();
    status = status === 0 ? ended : status;
    for (const line of readFileSync(results, 'utf8').split('\n').filter(Boolean)) {
      const at = line.indexOf('=');
      context[`steps.${step.id}.outputs.${line.slice(0, at)}`] = line.slice(at + 1);
    }
  }
  return {
    status,
    output,
    outputs: Object.fromEntries(
      Object.entries(ACTION.outputs).map(([name, { value }]) => [name, evaluated(value, context)]),
    ),
    summary: existsSync(summary) ? readFileSync(summary, 'utf8') : '',
  };
}

function evaluated(text: string, context: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, names: string) => {
    const values = names.split(' || ').map((name) => context[name]);
    return values.find(Boolean) ?? '';
  });
}

/** What `npm run` sets for its scripts is not there in an action. */
function withoutNpm(): Record<string, undefined> {
  const names = Object.keys(process.env).filter((name) => /^npm_/i.test(name));
  return Object.fromEntries(names.map((name) => [name, undefined]));
}
