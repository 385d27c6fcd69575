import assert from 'node:assert/strict';
import { test } from 'node:test';
import { priorityOf, scheduleBodies } from '../../body-schedule.ts';

test('reads urgency and incremental of a priority field, with the defaults of RFC 9218', () => {
  const usual = { urgency: 3, isIncremental: false };
  for (const field of [undefined, '', 'u=8', 'u=-1', 'i=?0', 'x-u=1, y;u=2']) {
    assert.deepEqual(priorityOf(field), usual, field);
  }
  assert.deepEqual(priorityOf('u=0'), { urgency: 0, isIncremental: false });
  assert.deepEqual(priorityOf('i'), { urgency: 3, isIncremental: true });
  for (const field of ['u=5, i', 'i,u=5', 'u=5,i=?1', 'u=5;x=1, i']) {
    assert.deepEqual(priorityOf(field), { urgency: 5, isIncremental: true }, field);
  }
});

/** Sends bodies of three pieces; of `late` ones, after the first piece of the first body. */
async function sentOrder(early: readonly string[], late: readonly string[] = []): Promise<string> {
  const sent: string[] = [];
  const add = scheduleBodies();
  const addNamed = (text: string) => {
    const [name = '', field] = text.split(' ');
    let left = 3;
    const sendPiece = async () => {
      sent.push(name);
      await new Promise((resolve) => setImmediate(resolve));
      if (sent.length === 1) for (const each of late) addNamed(each);
      left -= 1;
      return left > 0;
    };
    add({ priority: priorityOf(field), sendPiece });
  };
  for (const each of early) addNamed(each);
  const all = 3 * (early.length + late.length);
  while (sent.length < all) await new Promise((resolve) => setImmediate(resolve));
  return sent.join('');
}

test('sends equally urgent bodies one after the other, and incremental ones in turn behind them', async () => {
  assert.equal(await sentOrder(['a u=2', 'b u=2']), 'aaabbb');
  assert.equal(await sentOrder(['a u=2,i', 'b u=2,i']), 'ababab');
  assert.equal(await sentOrder(['a u=2,i', 'b u=2', 'c u=2,i']), 'abbbcacac');
});

test('puts a more urgent body between the pieces of another', async () => {
  assert.equal(await sentOrder(['a u=5,i', 'b u=5,i'], ['c u=0']), 'acccbabab');
});

test('does not let a body whose client takes nothing hold up the rest', async () => {
  const sent: string[] = [];
  const add = scheduleBodies(10);
  const taken = Promise.withResolvers<boolean>();
  const results = [taken.promise, false];
  add({
    priority: priorityOf('u=0'),
    async sendPiece() {
      sent.push('held');
      return results.shift() ?? false;
    },
  });
  await new Promise<void>((resolve) =>
    add({
      priority: priorityOf('u=3'),
      async sendPiece() {
        sent.push('other');
        resolve();
        return false;
      },
    }),
  );
  assert.deepEqual(sent, ['held', 'other']);
  taken.resolve(true);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(sent, ['held', 'other', 'held']);
});
