import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { address, hostText, readHosts } from '../../../../ground/options/hosts.ts';
import { UsageError } from '../../../../ground/system/errors.ts';
import { withTemporaryFolder } from '../../../temporary-folder.ts';

/** The hosts of a file with this text. */
function hostsOfList(text: string): Promise<ReturnType<typeof readHosts>> {
  return withTemporaryFolder(async (folder) => {
    const file = path.join(folder, 'hosts.txt');
    writeFileSync(file, text);
    return readHosts([`@${file}`]);
  });
}

const NAMED: [word: string, host: string, port: number][] = [
  ['example.org', 'example.org', 443],
  ['EXAMPLE.org.', 'example.org', 443],
  ['example.org:8443', 'example.org', 8443],
  ['192.0.2.7:99', '192.0.2.7', 99],
  ['[2001:DB8:0::1]:99', '2001:db8::1', 99],
  ['2001:DB8::1', '2001:db8::1', 443],
  ['https://user:word@www.example.org:8443/a?b#c', 'www.example.org', 8443],
  ['http://www.example.org/', 'www.example.org', 443],
  ['www.example.org/a', 'www.example.org', 443],
  ['München.example', 'xn--mnchen-3ya.example', 443],
  ['_name.example.org', '_name.example.org', 443],
];

for (const [word, host, port] of NAMED) {
  test(`reads ${word} as host ${host} and port ${port}`, () => {
    assert.deepEqual(readHosts([word]), [{ host, port }]);
  });
}

const WRONG: [word: string, problem: RegExp][] = [
  ['', /"" names no host/],
  ['example.org:99999', /"example.org:99999" names no host and port/],
  ['example.org:0', /port 0/],
  ['ftp://example.org', /URL of ftp:/],
  ['http://example.org:8080', /port without TLS/],
  ['somebody@example.org', /names no host/],
  ['https://@hosts.txt@', /names no host/],
  ['a b', /white space/],
  ['1.2.3', /odd way to write 1\.2\.0\.3/],
  ['1,example.org', /"1,example" in it/],
  ['a..b', /"" in it/],
  ['--probe', /"--probe" in it/],
  [`${'a'.repeat(64)}.example`, /which no name has/],
  ['a.'.repeat(128), /more than 253/],
];

for (const [word, problem] of WRONG) {
  test(`rejects ${JSON.stringify(word.slice(0, 30))} with the reason`, () => {
    assert.throws(() => readHosts(['example.org', word]), { name: 'UsageError', message: problem });
  });
}

test('keeps each host and port once, however often and in whichever form it is named', () => {
  assert.deepEqual(
    readHosts(['b.example', 'a.example:443', 'A.example', 'a.example:8443', 'https://b.example/']),
    [
      { host: 'b.example', port: 443 },
      { host: 'a.example', port: 443 },
      { host: 'a.example', port: 8443 },
    ],
  );
});

test('reads one host per line, with comments, blank lines and any line ends', async () => {
  assert.deepEqual(
    await hostsOfList('\ufeff# all of them\r\na.example # the first\n\n  b.example:99\r[::1]:5\n'),
    [
      { host: 'a.example', port: 443 },
      { host: 'b.example', port: 99 },
      { host: '::1', port: 5 },
    ],
  );
});

test('reports what is wrong with each line of a list', async () => {
  await assert.rejects(hostsOfList('a.example\na b\n\nhttps://\n@other.txt\n'), (error: Error) => {
    assert.ok(error instanceof UsageError);
    const lines = error.message.split('\n').map((line) => line.replace(/^.*hosts\.txt, /, ''));
    assert.deepEqual(lines, [
      'line 2: "a b" has white space in it.',
      'line 4: "https://" names no host and port.',
      'line 5: "@other.txt" names no host.',
      'Expected HOST, HOST:PORT, [IPV6]:PORT or a URL of https://, one per line.',
    ]);
    return true;
  });
});

test('reports the first ten of many wrong lines, and the number of the rest', async () => {
  await assert.rejects(hostsOfList('a b\n'.repeat(25)), /line 10: .*\n15 more lines of /);
});

test('accepts a list of 100,000 lines, and no more', async () => {
  const line = (_: unknown, index: number) => `h${index}.example\n`;
  const hosts = await hostsOfList(Array.from({ length: 100_000 }, line).join(''));
  assert.equal(hosts.length, 100_000);
  await assert.rejects(hostsOfList('a.example\n'.repeat(100_001)), /100001 lines/);
});

test('rejects a list without a host, and a missing one', async () => {
  await assert.rejects(hostsOfList('# none\n'), /names no host/);
  assert.throws(() => readHosts(['@/nowhere/hosts.txt']), /@\/nowhere\/hosts\.txt cannot be read/);
});

test('writes a host without its port if that is the port of HTTPS', () => {
  assert.equal(hostText({ host: 'a.example', port: 443 }), 'a.example');
  assert.equal(hostText({ host: '::1', port: 443 }), '::1');
  assert.equal(hostText({ host: '::1', port: 99 }), '[::1]:99');
});

test('accepts an address of either family, with or without a port', () => {
  const read = (given: string) => address('x', given);
  assert.deepEqual(read('192.0.2.1'), { ip: '192.0.2.1', port: null });
  assert.deepEqual(read('192.0.2.1:8443'), { ip: '192.0.2.1', port: 8443 });
  assert.deepEqual(read('2001:db8::1'), { ip: '2001:db8::1', port: null });
  assert.deepEqual(read('[2001:db8::1]'), { ip: '2001:db8::1', port: null });
  assert.deepEqual(read('[2001:db8::1]:443'), { ip: '2001:db8::1', port: 443 });
  for (const given of [
    '',
    'localhost',
    '192.0.2.1:',
    '192.0.2.1:0',
    '192.0.2.1:65536',
    '1.2.3:4',
  ]) {
    assert.throws(() => read(given), {
      name: 'UsageError',
      message: `--x ${given}: expected an address, with or without a port, for example 127.0.0.1:8443 or [::1]:8443.`,
    });
  }
});
