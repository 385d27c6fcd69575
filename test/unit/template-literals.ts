/** A part of a template literal: text, or the source of an expression. */
export type TemplatePart = { text: string } | { source: string };

/** A template literal in a source file. */
export interface Template {
  line: number;
  parts: TemplatePart[];
}

/** Before these a slash begins a regular expression. */
const BEFORE_PATTERN =
  /(?:^|[=(,:[!&|?{};<>+\-*%]|\b(?:return|typeof|case|of|in|yield|await|=>))\s*$/;

/**
 * All template literals of a source file, nested ones too. TypeScript 7 has no parser that programs
 * can call.
 */
export function templatesIn(source: string): Template[] {
  const found: Template[] = [];
  /**
   * Reads code from a position until its closing brace, or the end; returns the position behind it.
   */
  const readCode = (from: number): number => {
    let depth = 0;
    for (let at = from; at < source.length; at++) {
      const character = source[at] as string;
      const two = source.slice(at, at + 2);
      if (two === '//') at = endOf(source.indexOf('\n', at));
      else if (two === '/*') at = endOf(source.indexOf('*/', at) + 1);
      else if (character === "'" || character === '"') at = endOfString(source, at);
      else if (character === '/' && BEFORE_PATTERN.test(source.slice(Math.max(0, at - 80), at)))
        at = endOfPattern(source, at);
      else if (character === '`') at = readTemplate(at);
      else if (character === '{') depth++;
      else if (character === '}' && depth-- === 0) return at;
    }
    return source.length;
  };
  const endOf = (place: number) => (place <= 0 ? source.length : place);
  /** Reads the template that begins at a position; returns that of its last backtick. */
  const readTemplate = (from: number): number => {
    const parts: TemplatePart[] = [];
    found.push({ line: source.slice(0, from).split('\n').length, parts });
    let text = '';
    for (let at = from + 1; at < source.length; at++) {
      if (source[at] === '\\') text += source[++at] === 'n' ? '\n' : source[at];
      else if (source[at] === '`') {
        parts.push({ text });
        return at;
      } else if (source.startsWith('${', at)) {
        const end = readCode(at + 2);
        parts.push({ text }, { source: source.slice(at + 2, end).trim() });
        text = '';
        at = end;
      } else text += source[at];
    }
    throw new Error('a template literal without end');
  };
  readCode(0);
  return found;
}

function endOfString(source: string, from: number): number {
  for (let at = from + 1; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === source[from]) return at;
  }
  return source.length;
}

function endOfPattern(source: string, from: number): number {
  let isInClass = false;
  for (let at = from + 1; at < source.length && source[at] !== '\n'; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === '[') isInClass = true;
    else if (source[at] === ']') isInClass = false;
    else if (source[at] === '/' && !isInClass) return at;
  }
  return from;
}
