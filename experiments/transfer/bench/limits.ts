import { loadText } from '../../../runner/bench/load.ts';
import { withTransferPath } from '../test/e2e/watched-transfers.ts';
import { measureDrawn } from './limits/drawn.ts';
import { measureKnown } from './limits/known.ts';
import { measureLooking } from './limits/looking.ts';

// The model is handed what was observed, and neither options nor condition.
console.log(`load ${loadText()} at the start\n`);
await withTransferPath(async (path) => {
  await measureKnown(path);
  console.log('');
  await measureLooking(path);
  console.log('');
  await measureDrawn(path);
});
console.log(`\nload ${loadText()} at the end`);
