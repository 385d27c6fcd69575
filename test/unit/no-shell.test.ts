import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { isTest, root } from './shipped-files.ts';

/** Sources in every language that the project has programs in. */
const SOURCE = /\.(ts|mjs|js|py|go|sh)$/;

/** Every call by which Node, Bun or Python pass a text to a shell, or run a text as a program. */
const CALLS: Record<string, RegExp> = {
  // Regular expressions have their own exec(), but only after a dot.
  'exec() and execSync() of node:child_process':
    /(?<![.\w])(exec|execSync)\s*\(|child_process\.exec(Sync)?\b/,
  'an import of exec or execSync': /import[^;]*\b(exec|execSync)\b[^;]*'node:child_process'/,
  'the option shell': /\bshell\s*[:=]\s*(?!false\b|False\b)\S/,
  'a shell called by its name': /['"`](\/(usr\/)?bin\/)?(sh|bash|dash|zsh|ksh)['"`]/,
  'a shell with -c': /\b(sh|bash|dash|zsh)\s+-l?c\b/,
  'os.system() and os.popen()': /\bos\.(system|popen)\s*\(|\bsubprocess\.get(status)?output\s*\(/,
  'eval of a shell': /^\s*eval\s/m,
  "Bun's shell": /\bBun\.\$|import[^;'"`]*\$[^;'"`]*'bun'/,
  'eval() and new Function()': /(?<![.\w$])eval\s*\(|\bnew Function\s*\(/,
};

/** Justified exceptions: a file with the call that it may use. */
const EXCEPTIONS: readonly string[] = [
  // DASH is a format of ffmpeg's too.
  'cache/videos.ts: a shell called by its name',
  // An example of a command that a user may give.
  'tools/by-hand/network-tool.ts: a shell with -c',
  // A command line of the user's own, without foreign text.
  'tools/by-hand/server-command.ts: a shell called by its name',
];

function findings(source: string): string[] {
  return Object.entries(CALLS)
    .filter(([, call]) => call.test(withoutComments(source)))
    .map(([name]) => name);
}

/** Only whole lines: text behind code is read as code. */
function withoutComments(source: string): string {
  return source.replaceAll(/^\s*(\/\/|\*|\/\*\*?|#).*$/gm, '');
}

test('no text is passed to a shell or run as a program', () => {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  const sources = listed
    .split('\0')
    .filter(
      (
        file, // Tests start programs as users do, some of them through a shell.
      ) => SOURCE.test(file) && !isTest(file),
    )
    .filter((file) => existsSync(path.join(root, file)));
  assert.ok(sources.includes('setup.mjs') && sources.length > 500);
  const found = sources.flatMap((file) =>
    findings(readFileSync(path.join(root, file), 'utf8')).map((name) => `${file}: ${name}`),
  );
  assert.deepEqual(found, EXCEPTIONS);
});

test('the rule finds such calls, and nothing else', () => {
  const forbidden = [
    "exec('ls ' + name)",
    'execSync(`ls`)',
    "import { exec } from 'node:child_process';",
    'spawn(command, { shell: true })',
    "spawn(command, { shell: '/bin/bash' })",
    'subprocess.run(command, shell=True)',
    "spawn('sh', ['-c', command])",
    "spawn('/bin/bash', ['-c', command])",
    "spawn('nsenter', ['bash -c ' + command])",
    'os.system(command)',
    'os.popen(command)',
    'await Bun.$`ls`',
    'eval(text)',
    'eval "$1"',
    'exec.Command("sh", "-c", command)',
    'new Function(text)',
  ];
  for (const source of forbidden) assert.notDeepEqual(findings(source), [], source);
  const allowed = [
    '/^a/.exec(text)',
    "promisify(execFile)('ls', [name])",
    "spawn('ls', [name])",
    'subprocess.run(["ls", name])',
    "import { execFile } from 'node:child_process';",
    '// never exec() and never sh -c',
    'page.evaluate(text)',
  ];
  for (const source of allowed) assert.deepEqual(findings(source), [], source);
});
