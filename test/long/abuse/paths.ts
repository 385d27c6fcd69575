import path from 'node:path';
import type { Choices } from '../fuzz-importers/random.ts';

/** Every known spelling of `..` that a check may overlook. */
const UP = [
  '..',
  '%2e%2e',
  '.%2e',
  '%2e.',
  '%252e%252e',
  '%25252e%25252e',
  '..;',
  '.../',
  '....//',
  '%c0%ae%c0%ae',
  '%e0%80%ae%e0%80%ae',
  '%uff0e%uff0e',
  '\u2025',
  '..%00',
  '..%0d',
  '%2e%2e%20',
];
const SLASH = ['/', '\\', '%2f', '%5c', '%252f', '%255c', '//', '/./', '%c0%af', '/;/', '%2f%2f'];
const ENDS = [
  '',
  '%00',
  '%00.html',
  '\0',
  '?',
  '#',
  '/',
  '/.',
  '::$DATA',
  '%20',
  ';a=b',
  '~',
  '.bak',
];
const STARTS = [
  '/',
  '',
  '/bodies/',
  '/./',
  '//',
  '/bodies/0/',
  '\\',
  '/static/',
  'file://',
  'file:///',
];

/** Methods of requests for such paths: any that a server may know, and GET more often. */
export const METHODS = ['GET', 'GET', 'GET', 'HEAD', 'POST', 'OPTIONS'] as const;

/** The path of a request that tries to get at a file outside of the site's folder. */
export function hostilePath(
  choices: Choices,
  secretFiles: readonly string[],
  host: string,
): string {
  const file = choices.pick(secretFiles);
  if (choices.chance(15))
    return choices.pick([file, `/${file}`, `file://${file}`, encodeURIComponent(file)]);
  const up = choices.pick(UP);
  const slash = choices.pick(SLASH);
  const depth = 1 + choices.number(12);
  const names = choices.chance(50)
    ? file.split('/').filter((name) => name !== '')
    : [
        choices.pick([
          'canary.txt',
          'index.json',
          path.basename(file),
          'certs',
          'package.json',
          '.git',
        ]),
      ];
  const target = [...Array.from({ length: depth }, () => up), ...names].join(slash);
  const start = choices.chance(10) ? `https://${host}/` : choices.pick(STARTS);
  return `${start}${target}${choices.pick(ENDS)}`;
}

/** A form that HTTP/2 and HTTP/3 accept: begins with a slash, without bytes that end a header. */
export function hostileFieldPath(
  choices: Choices,
  secretFiles: readonly string[],
  host: string,
): string {
  const hostile = hostilePath(choices, secretFiles, host);
  // Some stay unchanged: a server has to reject them.
  if (choices.chance(20)) return hostile;
  const printable = hostile.replace(/[\0\r\n]/g, '%00');
  return printable.startsWith('/') ? printable : `/${printable}`;
}
