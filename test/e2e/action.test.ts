import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { readRun } from '../../ground/records/read.ts';
import { EXIT } from '../../ground/system/exit-status.ts';
import { git, makePullRequest, type PullRequest } from '../action-repository.ts';
import { type ActionRun, runAction } from '../action-run.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';

const INPUTS = {
  'inputs.server': 'start.sh',
  'inputs.build': 'bash build.sh',
  'inputs.protocol': 'h2',
  'inputs.fail-if': 'head-h2 slower than base-h2 by 100%',
  'inputs.options': '--sites shower-deck --rtt 0\n--seed 1 --repetitions 12 --warm-ups 1',
};

/** Runs the action on a pull request from one variant of the minimal server to another. */
function withAction(
  variants: { base: string; head: string },
  use: (run: ActionRun, pullRequest: PullRequest) => Promise<void> | void,
): Promise<void> {
  return withTemporaryFolder(async (temporary) => {
    const pullRequest = makePullRequest(temporary, variants);
    const { workspace, merge, eventBase } = pullRequest;
    const values = { ...INPUTS, 'github.event.pull_request.base.sha': eventBase };
    const run = await runAction(values, workspace, temporary, { GITHUB_SHA: merge });
    assert.equal(git(workspace, 'worktree', 'list').split('\n').length, 1);
    assert.equal(git(workspace, 'status', '--porcelain'), '');
    await use(run, pullRequest);
  });
}

test('fails by the rule when the pull request makes the server slower', () =>
  withAction({ base: 'honest', head: 'slow' }, async ({ status, output, outputs, summary }) => {
    assert.equal(status, EXIT.failIf, output);
    assert.equal(outputs.status, '7');
    assert.match(output, /^::error title=quic-vs-https::The rule is met: head-h2 slower than/m);
    const junit = readFileSync(outputs.junit ?? '', 'utf8');
    assert.match(junit, /<testsuite name="--fail-if" tests="1" failures="1"/);
    assert.match(summary, /head-h2 slower than base-h2 by 100%/);
    assert.match(summary, /head-h2 against base-h2/);
    const { arms } = await readRun(outputs.run ?? '');
    assert.deepEqual(
      arms.map(({ arm, own }) => [arm, path.basename(path.dirname(own?.program ?? ''))]),
      [
        ['head-h2', 'head'],
        ['base-h2', 'base'],
      ],
    );
    assert.ok(existsSync(path.join(outputs.run ?? '', 'report.html')));
  }));

test('passes when the pull request does not make the server slower', () =>
  withAction({ base: 'honest', head: 'honest' }, ({ status, output, outputs, summary }) => {
    assert.equal(status, EXIT.ok, output);
    const junit = readFileSync(outputs.junit ?? '', 'utf8');
    assert.match(junit, /<testsuite name="--fail-if" tests="1" failures="0" errors="0"/);
    assert.match(summary, /head-h2 against base-h2/);
  }));

test('says that the server of the pull request does not start', () =>
  withAction({ base: 'honest', head: 'refuses-all' }, ({ status, output, outputs }) => {
    assert.equal(status, EXIT.server, output);
    assert.match(output, /head-h2 [\s\S]*this server has no HTTP\/3/);
    assert.match(output, /^::error title=quic-vs-https::A server did not start, or failed/m);
    assert.match(readFileSync(outputs.junit ?? '', 'utf8'), /<error type="not finished"/);
  }));
