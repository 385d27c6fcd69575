import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root, shippedFiles } from './shipped-files.ts';

/** Every call by which text leaves a program, without queries of a terminal's width. */
const OUTPUT_CALL =
  /\bconsole\s*[.[]|\bconsole\b(?=\s*[,;)\]])|(?<!\.)\bprocess\s*\??\.\s*(?:stdout|stderr)\b(?!\??\.(?:columns|isTTY|hasColors)\b)|\b(?:stdout|stderr)\s*[,}][^=;]*=\s*process\b(?!\.)|\bstdio:|\bprintStyled\b/;

/** Files that may do so, with their purpose; those of slices, which may be absent, by a pattern. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'ground/system/printed.mjs': 'the one place',
  'bin/program.ts': 'errors of the streams',
  'runner/command-line/command-line.ts': 'headings of the help, which names nothing from outside',
  'tools/by-hand/get-tool.ts': 'the output of a body',
  'tools/doctor/command.ts': 'colours, and texts that screen.ts has made printable',
  'tools/doctor/tool.ts': 'colours',
  'runner/progress.ts': 'a line that renews itself, in which all else is printable',
  'tools/by-hand/foreground.ts': 'a command of the user’s has the terminal for itself',
  'tools/by-hand/server-command.ts': 'what a server of the user’s prints',
  'bin/start.mjs': 'set-up and the program, which print',
  'bin/package.ts': 'messages of the compiler',
  'studies/*/measure.ts': 'the benchmark, which prints',
  'setup/guard.mjs': 'npm, pip and apt show how far they are',
  // Programs whose output this project reads, and prints through the one place.
  'clients/bun/connect-program.ts': 'JSON',
  'clients/bun/examine-program.ts': 'JSON',
  'clients/bun/exchange-program.ts': 'JSON',
  'clients/bun/get-program.ts': 'a body, and JSON',
  'clients/bun/transfer-program.ts': 'JSON',
  'clients/firefox/relay-program.ts': 'JSON',
  'servers/bun/contract.ts': 'JSON, and its log',
  'servers/bun/http-server.ts': 'its log',
  'servers/bun/recorded-site.ts': 'its log',
  'ground/runtimes/bun.ts': 'JSON',
  'servers/proxy/*.ts': 'JSON of versions, and errors of a server in its log',
  'experiments/*/servers/connection-log.ts': 'JSON',
};

/** Calls that start programs with captured output, and the width of a terminal. */
const CAPTURED =
  /\bstdio: (?:\[(?:(?!'inherit'|\b[12]\b)[^\]])*\]|'(?:ignore|pipe)')|\{ columns \} = process\.std(?:out|err)/g;

function findings(source: string): string[] {
  const code = source.replaceAll(/^\s*(\/\/|\*|\/\*\*?).*$/gm, '').replaceAll(CAPTURED, '');
  return code.match(new RegExp(OUTPUT_CALL, 'g')) ?? [];
}

test('text leaves through one place, which neutralizes terminal control', () => {
  const found = shippedFiles().filter(
    (file) => findings(readFileSync(path.join(root, file), 'utf8')).length > 0,
  );
  const exceptions = Object.keys(EXCEPTIONS);
  const isException = (file: string) => exceptions.some((each) => path.matchesGlob(file, each));
  assert.deepEqual(
    found.filter((file) => !isException(file)),
    [],
  );
  const files = exceptions.filter((each) => !each.includes('*'));
  assert.deepEqual(
    files.filter((each) => !found.includes(each)),
    [],
  );
});

test('the rule finds such calls, and nothing else', () => {
  const forbidden = [
    'console.log(text)',
    "console['error'](text)",
    'say: console.error,',
    'const { log } = console;',
    'process.stdout.write(text)',
    'stream.pipe(process.stderr)',
    'const { stdout, stderr } = process;',
    "spawn(program, args, { stdio: 'inherit' })",
    "spawn(program, args, { stdio: ['ignore', 2, 2] })",
  ];
  for (const source of forbidden) assert.notDeepEqual(findings(source), [], source);
  const allowed = [
    'print(text)',
    'const { columns } = process.stdout;',
    'process.stdout.columns',
    'const { stdout, stderr } = child.process;',
    'child.process.stderr?.on(x)',
    "spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })",
    '// console.log(text)',
  ];
  for (const source of allowed) assert.deepEqual(findings(source), [], source);
});
