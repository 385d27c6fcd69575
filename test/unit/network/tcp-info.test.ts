import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleTcpInfo } from '../../../network/end.ts';

/** Records the agent's requests. */
function agentNoting(log: string[]) {
  return {
    beginTcpInfo: async (options: object) => void log.push(`begin ${JSON.stringify(options)}`),
    endTcpInfo: async () => void log.push('end'),
    writeTcpInfo: async (file: string) => {
      log.push(`write ${file}`);
      return { missed: 0 };
    },
  };
}

test('requests nothing if no load needs samples', async () => {
  const log: string[] = [];
  const tcpInfo = sampleTcpInfo(agentNoting(log));
  await tcpInfo.begin({});
  await tcpInfo.end();
  await tcpInfo.begin({ tcpInfoMs: null, keepsConnections: true });
  assert.deepEqual(log, []);
});

test('begins samples with a load that needs them, and ends them with it or with the next', async () => {
  const log: string[] = [];
  const tcpInfo = sampleTcpInfo(agentNoting(log));
  await tcpInfo.begin({ tcpInfoMs: 5 });
  await tcpInfo.begin({ tcpInfoMs: 5, keepsConnections: true });
  await tcpInfo.end();
  await tcpInfo.end();
  await tcpInfo.write('/a.gz');
  await assert.rejects(tcpInfo.write('/a.gz'), /not sampled/, 'they are of one load');
  await tcpInfo.begin({ tcpInfoMs: 7 });
  await tcpInfo.begin({});
  assert.deepEqual(log, [
    'begin {"everyMs":5,"keepsConnections":false,"end":"server","client":"198.18.0.1"}',
    'begin {"everyMs":5,"keepsConnections":true,"end":"server","client":"198.18.0.1"}',
    'end',
    'write /a.gz',
    'begin {"everyMs":7,"keepsConnections":false,"end":"server","client":"198.18.0.1"}',
    'end',
  ]);
  await assert.rejects(tcpInfo.write('/b.gz'), /not sampled/);
});
