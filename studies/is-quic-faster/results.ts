import { assertChecksums } from './records.ts';
import { writeResults } from './result.ts';

// Computes results/ from records/; `npm run docs` then writes the pages.
await assertChecksums();
await writeResults();
