import { createHash } from 'node:crypto';

/**
 * The page's content security policy: nothing is fetched, nothing is sent, and only this style sheet and this script are
 * let in, by their hashes.
 */
export function policyFor(style: string, script: string): string {
  return [
    "default-src 'none'",
    `style-src '${hashOf(style)}'`,
    `script-src '${hashOf(script)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}`;
}
