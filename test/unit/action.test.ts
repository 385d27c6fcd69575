import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { EXIT } from '../../ground/system/exit-status.ts';
import { git, makePullRequest, type PullRequest } from '../action-repository.ts';
import { ACTION, type ActionRun, runAction } from '../action-run.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { root } from './shipped-files.ts';

const SERVER = { 'inputs.server': 'start.sh', 'inputs.build': 'bash build.sh' };

interface StubbedRun extends ActionRun {
  /** What the action gave to node; null: it did not start it. */
  words: string[] | null;
  pullRequest: PullRequest;
}

/** A program in place of the benchmark that sends a signal to the action, as GitHub does to cancel it, and waits for it. */
const CANCELLER = `
const [, signal] = process.argv;
process.once(signal, () => process.exit(130));
process.kill(process.ppid, signal);
setTimeout(() => process.exit(1), 20_000);
`;

interface StubChoices {
  status?: number;
  event?: string;
  /** Signal that the program sends to the action. */
  signal?: string;
  env?: Record<string, string>;
  prepare?: (pullRequest: PullRequest) => void;
}

/** Runs the action with a program in place of node that records its words and ends with a status. */
function withStub(
  values: Readonly<Record<string, string>>,
  use: (run: StubbedRun) => void,
  { status = 0, event = 'pull_request', signal, env, prepare }: StubChoices = {},
): Promise<void> {
  return withTemporaryFolder(async (temporary) => {
    const pullRequest = makePullRequest(temporary, { base: 'honest', head: 'slow' });
    const { workspace, merge, base, eventBase } = pullRequest;
    prepare?.(pullRequest);
    const bin = path.join(temporary, 'bin');
    const record = path.join(temporary, 'words');
    mkdirSync(bin);
    const last = signal
      ? `'${process.execPath}' -e "${CANCELLER}" ${signal}`
      : `sh -c 'exit ${status}'`;
    const stub = `#!/bin/sh\nprintf '%s\\0' "$@" > '${record}'\nexec ${last}\n`;
    writeFileSync(path.join(bin, 'node'), stub, { mode: 0o755 });
    for (const name of ['sudo', 'sysctl']) {
      writeFileSync(path.join(bin, name), '#!/bin/sh\nexit 255\n', { mode: 0o755 });
    }
    const given = {
      ...values,
      ...(event === 'pull_request' && { 'github.event.pull_request.base.sha': eventBase }),
      ...(event === 'merge_group' && { 'github.event.merge_group.base_sha': base }),
    };
    const run = await runAction(given, workspace, temporary, {
      PATH: `${bin}:${process.env.PATH}`,
      GITHUB_EVENT_NAME: event,
      GITHUB_SHA: merge,
      ...env,
    });
    assert.equal(git(workspace, 'worktree', 'list').split('\n').length, 1);
    const words = existsSync(record) ? readFileSync(record, 'utf8').split('\0').slice(0, -1) : null;
    use({ ...run, words, pullRequest });
  });
}

test('no step of the action has an expression in its script', () => {
  for (const { name, run, env } of ACTION.runs.steps) {
    assert.doesNotMatch(run, /\$\{\{/, name);
    for (const variable of Object.keys(env)) assert.match(run, new RegExp(`\\$\\{?${variable}\\b`));
  }
});

test('the documentation has every input and output of the action, with its default', () => {
  const page = readFileSync(path.join(root, 'docs/how-to/continuous-integration.md'), 'utf8');
  for (const [name, input] of Object.entries(ACTION.inputs)) {
    const [, row = ''] = new RegExp(`^\\| \`${name}\` \\|(.*)$`, 'm').exec(page) ?? [];
    assert.ok(row.includes(input.default === '' ? '' : `\`${input.default}\``) && row, name);
  }
  for (const name of Object.keys(ACTION.outputs)) assert.match(page, new RegExp(`\`${name}\``));
});

test('compares the server of the merge with that of its base in one run', () =>
  withStub(SERVER, ({ status, output, words, outputs, pullRequest }) => {
    assert.equal(status, EXIT.ok, output);
    const { merge, base } = pullRequest;
    assert.match(output, new RegExp(`Comparing head ${merge} with base ${base}`));
    const folder = path.dirname(outputs.run ?? '');
    assert.deepEqual(words?.slice(2), [
      ...['--out', `${folder}/run`, '--junit', `${folder}/junit.xml`],
      ...['--stacks', 'head-h3,base-h3', '--baseline', 'base-h3'],
      ...['--server', `base=${folder}/base/start.sh`, '--server', `head=${folder}/head/start.sh`],
      ...['--fail-if', 'head-h3 slower than base-h3 by 5%'],
    ]);
    assert.deepEqual(words?.slice(0, 2), ['bin/start.mjs', 'benchmark']);
  }));

test('compares with the requested base, which origin has', () =>
  withStub(
    { ...SERVER, 'inputs.base': 'main' },
    ({ status, output, pullRequest }) => {
      assert.equal(status, EXIT.ok, output);
      assert.match(output, new RegExp(`with base ${pullRequest.base}`));
    },
    { event: 'push' },
  ));

test('compares with the base of a merge queue', () =>
  withStub(
    SERVER,
    ({ status, output, pullRequest }) => {
      assert.equal(status, EXIT.ok, output);
      assert.match(output, new RegExp(`with base ${pullRequest.base}`));
    },
    { event: 'merge_group' },
  ));

test('compares with a branch of origin as it was fetched', () =>
  withStub(
    { ...SERVER, 'inputs.base': 'earlier' },
    ({ status, output, pullRequest }) => {
      assert.equal(status, EXIT.ok, output);
      assert.match(output, new RegExp(`with base ${pullRequest.eventBase}`));
    },
    {
      prepare({ workspace, eventBase }) {
        const fetched = `${eventBase}:refs/remotes/origin/earlier`;
        git(workspace, 'fetch', '--quiet', '--depth=1', 'origin', fetched);
      },
    },
  ));

test('leaves a whole clone whole when it fetches the base', () =>
  withStub(
    { ...SERVER, 'inputs.base': 'main' },
    ({ status, output, pullRequest: { workspace, base } }) => {
      assert.equal(status, EXIT.ok, output);
      assert.match(output, new RegExp(`with base ${base}`));
      assert.equal(git(workspace, 'rev-parse', '--is-shallow-repository'), 'false');
    },
    {
      prepare: ({ workspace, merge }) =>
        void git(workspace, 'fetch', '--quiet', '--unshallow', 'origin', merge),
    },
  ));

for (const signal of ['SIGINT', 'SIGTERM']) {
  test(`sends ${signal} to the command, waits for it, and has all outputs`, () =>
    withStub(
      SERVER,
      ({ status, output, outputs }) => {
        assert.equal(status, EXIT.interrupted, output);
        assert.match(output, /^::error .*Interrupted/m);
        assert.equal(outputs.status, `${EXIT.interrupted}`);
        assert.match(outputs.run ?? '', /\/run$/);
        assert.match(outputs.junit ?? '', /\/junit\.xml$/);
      },
      { signal },
    ));
}

test('warns and measures if a machine of GitHub does not let it set the kernel', () =>
  withStub(
    SERVER,
    ({ status, output, words }) => {
      assert.equal(status, EXIT.ok, output);
      assert.match(
        output,
        /^::warning .*sysctl failed: the command may not be able to make a network/m,
      );
      assert.notEqual(words, null);
    },
    { env: { RUNNER_ENVIRONMENT: 'github-hosted' } },
  ));

test('removes nothing without a folder', () => {
  assert.match(ACTION.runs.steps.at(-1)?.run ?? '', /^\[ -n "\$FOLDER" \] \|\| exit 0\n/);
});

test('measures a URL alone, with options as words that no shell expands', () =>
  withStub(
    {
      'inputs.url': 'https://example.org/?a=1&b=$(touch x)',
      'inputs.options': `--trust "two words"\n  --rtt 0,30 '$(touch x)' *`,
    },
    ({ status, output, words, outputs }) => {
      assert.equal(status, EXIT.ok, output);
      const { run = '', junit = '' } = outputs;
      assert.deepEqual(words?.slice(2), [
        ...['--trust', 'two words', '--rtt', '0,30', '$(touch x)', '*'],
        ...['--out', run, '--junit', junit],
        'https://example.org/?a=1&b=$(touch x)',
      ]);
    },
  ));

for (const [name, values, expected, message, event] of [
  ['no input', {}, 2, /Expected the input server or url, got neither/],
  [
    'a base that does not exist',
    { ...SERVER, 'inputs.base': 'no-such-branch' },
    2,
    /no-such-branch is no commit of this checkout, and origin does not have it/,
  ],
  ['an event without a base', SERVER, 2, /Expected the input base, as this event/, 'push'],
  [
    'the head as base',
    { ...SERVER, 'inputs.base': 'refs/pull/1/merge' },
    2,
    /Base and head are the same commit, [0-9a-f]{40}\. Check out/,
  ],
  [
    'a build that fails',
    { ...SERVER, 'inputs.build': 'false\ntrue' },
    1,
    /The build of the base failed with status 1/,
  ],
  [
    'a build that fails in the pull request alone',
    { ...SERVER, 'inputs.build': '[ "$(cat variant)" != slow ]' },
    1,
    /The build of the head failed with status 1/,
  ],
  [
    'an unknown command',
    { ...SERVER, 'inputs.command': 'audit' },
    2,
    /The command audit is unknown. Expected benchmark/,
  ],
  ['a URL that is an option', { 'inputs.url': '--live' }, 2, /The url --live is not valid/],
  ['a URL of http', { 'inputs.url': 'http://a.example' }, 2, /Expected one that begins with https/],
  [
    'options with an open quote, as one line that GitHub does not obey',
    { ...SERVER, 'inputs.options': "--sites 'a\n::notice::100%\r" },
    2,
    /a quote without its end: --sites 'a%0A::notice::100%25%0D$/,
  ],
  [
    'accepted statuses that are no numbers',
    { ...SERVER, 'inputs.accept': '6;8' },
    2,
    /The input accept is not valid: 6;8\. Expected exit statuses/,
  ],
  [
    'a base over two lines, as one line that GitHub does not obey',
    { ...SERVER, 'inputs.base': 'a\n::notice::100%' },
    2,
    /The base is not valid: a%0A::notice::100%25\. Expected a commit/,
  ],
] as const) {
  test(`fails before it measures, and says why, with ${name}`, () =>
    withStub(
      values,
      ({ status, output, outputs, words }) => {
        assert.equal(status, expected, output);
        const errors = output.split('\n').filter((line) => line.startsWith('::error '));
        assert.equal(errors.length, 1, output);
        assert.match(errors[0] ?? '', message);
        assert.doesNotMatch(output, /^::notice/m);
        assert.equal(words, null);
        assert.equal(outputs.status, '');
      },
      { event },
    ));
}

for (const [status, accept, ends, message] of [
  [EXIT.someLoadsNotOk, '6', 0, /^::warning .*Some loads do not count/m],
  [EXIT.someLoadsNotOk, '', 6, /^::error .*Some loads do not count/m],
  [EXIT.failIf, '6 8', 7, /^::error .*The rule is met: head-h3 slower than base-h3 by 5%/m],
  [EXIT.undecided, '6', 8, /^::error .*Undecided, which is no pass/m],
  [EXIT.undecided, '6 8', 0, /^::warning .*Undecided/m],
  [EXIT.undecided, '6,8', 0, /^::warning .*Undecided/m],
  [EXIT.undecided, '6\n8\n', 0, /^::warning .*Undecided/m],
  [EXIT.machine, '6', 3, /^::error .*This runner lacks something/m],
  [EXIT.usage, '6', 2, /^::error .*The inputs are not valid/m],
  [99, '9', 99, /^::error .*ended with status 99/m],
] as const) {
  test(`ends with ${ends} after status ${status} if it accepts ${JSON.stringify(accept)}`, () =>
    withStub(
      { ...SERVER, 'inputs.accept': accept },
      (run) => {
        assert.equal(run.status, ends, run.output);
        assert.match(run.output, message);
        assert.equal(run.outputs.status, `${status}`);
      },
      { status },
    ));
}
