import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const root = path.join(import.meta.dirname, '..', '..');

/** Calls that read without a limit, with the modules of system/ that do the same within one. */
const CALLS: Record<string, RegExp> = {
  'lines (bounded-lines.ts)': /\bcreateInterface\b|\breadLines\b|node:readline/,
  'unpacking (bounded-unpacking.ts)':
    /\b(gunzip|unzip|brotliDecompress|zstdDecompress|inflate|inflateRaw)(Sync)?\b(?!<)|\bcreate(Gunzip|Unzip|BrotliDecompress|ZstdDecompress|Inflate|InflateRaw)\b|DecompressionStream/,
  'streams (bounded-body.ts)': /node:stream\/consumers|\.arrayBuffer\(\)/,
  // The kernel's own files are finite.
  'files (plain-file.ts)': /\breadFile(Sync)?\((?!['"`]\/(proc|sys)\/)/,
  'text that grows with each piece (bounded-body.ts)':
    /\.on\('data', \((\w+)[^)]*\) => (\{\s*)?\w+ \+= \1\b(?!\.length)/,
};

/** File and call, with the reason. */
const EXCEPTIONS: Record<string, string> = {
  'bin/package.ts: files (plain-file.ts)': 'what it has made of this project',
  'bin/start.mjs: files (plain-file.ts)': 'files of this project, before TypeScript runs',
  'bin/docs.ts: files (plain-file.ts)': 'the documentation of this project',
  'tools/doctor/checks/machine.ts: files (plain-file.ts)': 'a file of /proc',
  'servers/bun/contract.ts: files (plain-file.ts)': 'certificates that the run has made',
  'servers/bun/contract.ts: lines (bounded-lines.ts)': 'the run that started it writes them',
  'servers/bun/recorded-site.ts: files (plain-file.ts)': 'reads as many bytes as the manifest says',
  'ground/system/folders.mjs: files (plain-file.ts)':
    'files of this project, before TypeScript runs',
  'setup/apt.ts: files (plain-file.ts)': 'a file of the system',
  'setup/folders.mjs: files (plain-file.ts)': 'files of this project, before TypeScript runs',
  'ground/system/bounded-body.ts: text that grows with each piece (bounded-body.ts)': 'cuts it',
  'ground/system/bounded-unpacking.ts: unpacking (bounded-unpacking.ts)': 'the module itself',
  'ground/system/plain-file.ts: files (plain-file.ts)': 'the module itself',
  'ground/system/read-if-there.ts: files (plain-file.ts)': 'files of /proc and /sys',
};

function findings(source: string): string[] {
  const code = source.replaceAll(/^\s*(\/\/|\*|\/\*\*?).*$/gm, '');
  return Object.entries(CALLS)
    .filter(([, call]) => call.test(code))
    .map(([name]) => name);
}

test('shipped code reads lines, bodies and files within limits', () => {
  const sources = globSync('**/*.{ts,mjs}', {
    cwd: root,
    exclude: [
      'node_modules',
      '.*',
      '**/{test,bench}/**',
      'cache/sites/**',
      'results/**',
      'dist/**',
    ],
  });
  assert.ok(sources.length > 500);
  const found = sources
    .flatMap((file) =>
      findings(readFileSync(path.join(root, file), 'utf8')).map((name) => `${file}: ${name}`),
    )
    .toSorted();
  assert.deepEqual(found, Object.keys(EXCEPTIONS).toSorted());
});

test('the rule finds such calls, and nothing else', () => {
  const forbidden = [
    'for await (const line of createInterface(stdout))',
    "import { text } from 'node:stream/consumers';",
    'gunzipSync(bytes)',
    'await promisify(gunzip)(bytes)',
    'createBrotliDecompress()',
    'zlib.inflateRawSync',
    "await readFile(file, 'utf8')",
    'readFileSync(file)',
    'await response.arrayBuffer()',
    "stderr.on('data', (text) => {\n    said += text;",
  ];
  for (const source of forbidden) assert.notDeepEqual(findings(source), [], source);
  const allowed = [
    'textLines(stdout, { maxBytes })',
    'gunzipped(stream, maxBytes)',
    'createGzip()',
    "readFileSync('/proc/meminfo', 'utf8')",
    'readPlainFile(file)',
    "stream.on('data', (chunk: Buffer) => {\n    bytes += chunk.length;",
  ];
  for (const source of allowed) assert.deepEqual(findings(source), [], source);
});
