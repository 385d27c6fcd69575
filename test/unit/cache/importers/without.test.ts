import { test } from 'node:test';
import { without } from '../../../../cache/import.ts';
import { assertEach } from '../../assert-each.ts';
import { exampleExchange, exampleRecording } from '../example-recording.ts';

test('removes an excluded resource with all its URLs, and keeps initiators correct', () => {
  const recording = exampleRecording([
    exampleExchange('http://www.a.test/1', { initiator: 0 }),
    exampleExchange('https://www.a.test/2', { initiator: 1 }),
    exampleExchange('https://www.a.test/3', { initiator: 0 }),
    exampleExchange('https://www.a.test/4', { initiator: 3 }),
  ]);
  const { exchanges } = without(recording, ['https://www.a.test/1#x']);
  assertEach(exchanges, ({ url, initiator }) => [url, initiator], [
    ['https://www.a.test/', undefined],
    ['https://www.a.test/2', undefined],
    ['https://www.a.test/3', 0],
    ['https://www.a.test/4', 2],
  ]);
});
