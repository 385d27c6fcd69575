import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../../../../ground/system/exit-status.ts';
import { versionFor } from '../../versions.ts';

test('uses a version that the stack speaks, HTTP/3 first unless --via is given', () => {
  const version = (protocol: Parameters<typeof versionFor>[0]['protocol'], via = null) =>
    versionFor({ stack: 'any', protocol }, via);
  assert.deepEqual(
    (['h3', 'h2', 'h2+h3', 'http/1.1', 'http/1.0'] as const).map((each) => version(each)),
    ['h3', 'h2', 'h3', 'h1.1', 'h1.1'],
  );
  assert.equal(versionFor({ stack: 'any', protocol: 'h2+h3' }, 'h2'), 'h2');
  const refused = { name: 'UsageError', message: '--via h3: any speaks h2.' };
  assert.throws(() => versionFor({ stack: 'any', protocol: 'h2' }, 'h3'), refused);
  assert.throws(() => version('tcp'), UsageError);
});
