import type { ChartStack } from '../../../../kit/page/stack.ts';

/** Two stacks in the form of charts. */
export const STACKS: ChartStack[] = [
  { arm: 'a', label: 'A (h3)', place: 0 },
  { arm: 'b', label: 'B (h2)', place: 1 },
];

export const HOSTILE = `</title><script>x</script>"><img src=x onerror='y'>`;

/** Numbers of an attribute in the order of the elements. */
export function numbersOf(svg: string, element: string, attribute: string): number[] {
  const found = svg.matchAll(new RegExp(`<${element} [^>]*\\b${attribute}="(-?[\\d.]+)"`, 'g'));
  return [...found].map((match) => Number(match[1]));
}

/** The corners of a path of one M and relative moves, h and v. */
export function cornersOf(path: string): [x: number, y: number][] {
  const [start = '', ...moves] = path.split(/(?=[hv])/);
  const [x0 = Number.NaN, y0 = Number.NaN] = start.replace('M', '').split(',').map(Number);
  const corners: [number, number][] = [[x0, y0]];
  for (const move of moves) {
    const [x, y] = corners.at(-1) ?? [Number.NaN, Number.NaN];
    const by = Number(move.slice(1));
    corners.push(move.startsWith('h') ? [x + by, y] : [x, y + by]);
  }
  return corners;
}

/** The attributes of each element of this name that has no child, or of its opening tag. */
export function elementsOf(svg: string, element: string): Record<string, string>[] {
  const tags = svg.matchAll(new RegExp(`<${element}((?: [\\w-]+="[^"]*")*) ?/?>`, 'g'));
  return [...tags].map(([, attributes = '']) =>
    Object.fromEntries(
      [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    ),
  );
}
