import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const root = path.join(import.meta.dirname, '..', '..');
const FOLDERS = [
  'bench',
  'cache',
  'certs',
  'clients',
  'experiments',
  'interference',
  'network',
  'records',
  'report',
  'runner',
  'servers',
  'setup',
  'statistics',
  'system',
];

/** Every way by which Node, Bun or Python hand a text to a shell, or run a text as a program. */
const WAYS: Record<string, RegExp> = {
  // Regular expressions have an exec() of their own, but only after a dot.
  'exec() and execSync() of node:child_process':
    /(?<![.\w])(exec|execSync)\s*\(|child_process\.exec(Sync)?\b/,
  'an import of exec or execSync': /import[^;]*\b(exec|execSync)\b[^;]*'node:child_process'/,
  'the option shell': /\bshell\s*[:=]\s*(?!false\b|False\b)\S/,
  'a shell called by its name': /['"`](\/(usr\/)?bin\/)?(sh|bash|dash|zsh|ksh)['"`]/,
  'a shell with -c': /\b(sh|bash|dash|zsh)\s+-l?c\b/,
  'os.system() and os.popen()': /\bos\.(system|popen)\s*\(|\bsubprocess\.get(status)?output\s*\(/,
  "Bun's shell": /\bBun\.\$|import[^;]*\$[^;]*'bun'/,
  'eval() and new Function()': /(?<![.\w$])eval\s*\(|\bnew Function\s*\(/,
};

/** What is as it is for a reason: a file with the way that it may use. */
const EXCEPTIONS: readonly string[] = [
  // DASH is a format of ffmpeg's too.
  'cache/videos.ts: a shell called by its name',
  // A command line of the user's own, in which no text of anybody else's stands.
  'runner/by-hand/server-command.ts: a shell called by its name',
];

function findings(source: string): string[] {
  return Object.entries(WAYS)
    .filter(([, way]) => way.test(withoutComments(source)))
    .map(([name]) => name);
}

/** Whole lines alone: what stands behind code is read as code. */
function withoutComments(source: string): string {
  return source.replaceAll(/^\s*(\/\/|\*|\/\*\*?|#).*$/gm, '');
}

test('nothing goes through a shell, and no text is run as a program', () => {
  const sources = [
    'setup.mjs',
    ...FOLDERS.flatMap((folder) => globSync(`${folder}/**/*.{ts,mjs,js,py}`, { cwd: root })),
  ].filter((file) => !file.startsWith('cache/sites/'));
  for (const folder of FOLDERS) {
    assert.ok(
      sources.some((file) => file.startsWith(`${folder}/`)),
      folder,
    );
  }
  const found = sources.flatMap((file) =>
    findings(readFileSync(path.join(root, file), 'utf8')).map((name) => `${file}: ${name}`),
  );
  assert.deepEqual(found, EXCEPTIONS);
});

test('the rule sees what it is to see, and lets the rest be', () => {
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
