import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bun } from '../../clients/bun/client.ts';
import { startExaminer } from '../../clients/examiner.ts';
import { isOverQuic, isOverTcp } from '../../ground/records/protocol.ts';
import { inBrowser } from '../../ground/stack.ts';
import { readMachine } from '../../runner/machine.ts';
import { withPathBench } from './path-bench.ts';
import { reportSkippedStacks, STACKS_HERE } from './tested-stacks.ts';

const HOSTS = ['www.port.test', 'static.port.test'];

test('serves arms in Firefox at port 443 of addresses of their own, by every stack', (t) => {
  reportSkippedStacks(t);
  const stacks = STACKS_HERE.map((stack) => inBrowser(stack, 'firefox'));
  const resources = HOSTS.map((host) => ({ url: `https://${host}/`, body: host }));
  return withPathBench(
    resources,
    async ({ servers, networkPath }) => {
      assert.equal(servers.length, stacks.length);
      const origins = servers.flatMap((server) => Object.values(server.origins));
      assert.equal(new Set(origins).size, HOSTS.length * stacks.length);
      const examiner = startExaminer([readMachine().bun, bun.examine], {
        enter: networkPath.agent.enter('client'),
      });
      try {
        for (const { stack, origins } of servers) {
          const { stack: name, protocol } = stack;
          const protocols = [
            ...(isOverQuic(protocol) ? (['h3'] as const) : []),
            ...(isOverTcp(protocol) ? [protocol === 'h2+h3' ? ('h2' as const) : protocol] : []),
          ];
          for (const [host, address] of Object.entries(origins)) {
            assert.match(address, /:443$/, name);
            for (const each of protocols) {
              const { status, error, bodyBase64 } = await examiner.request({
                transport: each === 'h3' ? 'quic' : 'tls1.3',
                host,
                authority: host,
                address,
                protocol: each,
                path: '/',
                maxBodyBytes: 1000,
                timeoutMs: 5000,
              });
              const what = `${name} ${each} ${host}: ${error}`;
              assert.equal(status, 200, what);
              assert.equal(Buffer.from(bodyBase64, 'base64').toString(), host, what);
            }
          }
        }
      } finally {
        await examiner.close();
      }
    },
    { stacks },
  );
});
