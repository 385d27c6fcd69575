import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { PARTS } from '../../parts.ts';
import { planOf } from '../../plans.ts';
import { assertChecksums } from '../../records.ts';
import { resultText } from '../../result.ts';

const RESULTS = path.join(import.meta.dirname, '..', '..', 'results');

test('the packed records are those of the list of checksums', () => assertChecksums());

test('the kept results are computed from the records, and exist once all sittings do', async () => {
  const plans = PARTS.map(planOf);
  for (const part of PARTS) {
    const file = path.join(RESULTS, `${part.name}.json`);
    const kept = existsSync(file) ? readFileSync(file, 'utf8') : null;
    // No assert.equal: its message would have both texts.
    assert.ok((await resultText(part, plans)) === kept, `${file} differs: run results.ts`);
  }
});
