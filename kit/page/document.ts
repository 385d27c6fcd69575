import { createHash } from 'node:crypto';
import { html, type Markup, trusted } from './markup.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

export interface DocumentParts {
  title: string;
  /** Added to the title of the browser tab, to distinguish similar pages. */
  runIds?: readonly string[];
  /** Style rules in addition to the common ones. */
  style?: string;
  /** JavaScript in addition to the common one. */
  script?: string;
  /** Line below the heading that describes the page. */
  about: Markup;
  /** Links to its sections, as items of a list. */
  contents: Markup;
  /** Caveats before the result; one paragraph each. */
  warnings: readonly string[];
  main: Markup;
  footer: Markup;
}

/** A page as a self-contained file. */
export function documentText(parts: DocumentParts): string {
  return documentOf(parts).text;
}

/** A page with its charts. */
export function documentOf(parts: DocumentParts): Markup {
  const { title, runIds = [], about, contents, warnings, main, footer } = parts;
  const style = STYLE + (parts.style ?? '');
  const script = SCRIPT + (parts.script ?? '');
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyFor(style, script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${title}${runIds.length > 0 && ` (${runIds.join(', ')})`}</title>
<style>${trusted(style)}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p class="quiet">${about}</p>
<nav aria-label="Contents"><ul>
${contents}
</ul></nav>
</header>
<main>
${warnings.length > 0 && notice(warnings)}
${main}
</main>
<footer>${footer}</footer>
<script>${trusted(script)}</script>
</body>
</html>
`;
}

function notice(warnings: readonly string[]): Markup {
  return html`<div class="notice" role="note" aria-label="Warnings">${warnings.map((sentence) => html`<p>${sentence}</p>`)}</div>`;
}

/** Content security policy: no requests, and only this style sheet and script, by their hashes. */
function policyFor(style: string, script: string): string {
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
