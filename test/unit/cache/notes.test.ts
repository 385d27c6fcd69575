import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lost, noteLines } from '../../../cache/notes.ts';

test('pools notes of a kind in one line, with their number and the first of them', () => {
  const notes = [
    'the page grew',
    ...Array.from({ length: 1200 }, (_, index) => lost(`entry ${index}`, 'it had no response')),
    { where: 'entry 7', text: 'header dropped: x-a' },
    { where: 'entry 8', text: 'header dropped: x-b' },
    { where: 'entry 9', text: 'port 8080 dropped' },
  ];
  assert.deepEqual(noteLines(notes), [
    'the page grew',
    '1,200 times: skipped, it had no response; first: entry 0',
    '2 times: header dropped; first: entry 7: x-a',
    'entry 9: port 8080 dropped',
  ]);
});

test('takes only the text before the colon as the kind', () => {
  const detail = { where: 'a', text: 'its body was cut off: 1 of 2: bytes' };
  assert.deepEqual(noteLines([detail, { where: 'b', text: 'its body was cut off' }]), [
    '2 times: its body was cut off; first: a: 1 of 2: bytes',
  ]);
});
