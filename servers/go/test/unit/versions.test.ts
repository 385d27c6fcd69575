import assert from 'node:assert/strict';
import { test } from 'node:test';
import { go } from '../../runtime.ts';

/** Builds version 0.50.1 where these commands fail, by a part of their words; returns the problem and the commands. */
async function builtWhere(...failing: string[]) {
  const calls: string[] = [];
  const { fetch, build } = go.versions.at('0.50.1', '.setup/stacks/go@0.50.1');
  const command = async (program: string, args: readonly string[]) => {
    const words = [program, ...args].join(' ');
    calls.push(words);
    return { ok: !failing.some((each) => words.includes(each)), output: `failed: ${words}` };
  };
  const problem = (await fetch(command)) ?? (await build(command));
  return { problem, calls: calls.join('\n') };
}

test('builds a copy of its sources with another quic-go, and with the modules that this one needs', async () => {
  const { problem, calls } = await builtWhere();
  assert.equal(problem, null);
  const copy = '.setup/stacks/go@0.50.1/sources';
  assert.match(calls, new RegExp(`^cp -R /.*/servers/go ${copy}$`, 'm'));
  assert.match(calls, /^go mod edit .*-droprequire=github\.com\/quic-go\/qpack /m);
  assert.match(
    calls,
    new RegExp(`^go get -C ${copy} \\. github.com/quic-go/quic-go@v0.50.1$`, 'm'),
  );
  assert.match(calls, /^go build -C \S+ -trimpath -buildvcs=false .*\/quic-vs-https-go \.$/m);
  assert.doesNotMatch(calls, /oldtraces/);
});

test('tries the older interface for traces, and reports both failures', async () => {
  const older = await builtWhere('-trimpath -buildvcs');
  assert.equal(older.problem, null);
  assert.match(older.calls, /go build \S+ \S+ -trimpath -tags oldtraces/);
  const neither = await builtWhere('go build');
  assert.match(neither.problem ?? '', /trimpath -buildvcs[\s\S]*trimpath -tags oldtraces/);
});

test('reports a version that cannot be fetched before it builds', async () => {
  const { problem, calls } = await builtWhere('@v0.50.1');
  assert.match(problem ?? '', /^failed: go get /);
  assert.doesNotMatch(calls, /go build/);
});
