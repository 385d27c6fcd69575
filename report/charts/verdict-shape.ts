import type { Verdict } from '../summary/comparison.ts';

interface Path {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  arc(x: number, y: number, radius: number, start: number, end: number): void;
  rect(x: number, y: number, width: number, height: number): void;
  closePath(): void;
}

/**
 * The shape of a verdict, centred: faster points to less time (left), slower to more, same is a square, and what cannot
 * be told is a ring. The same shapes stand in tables and charts.
 */
export const VERDICT_SHAPES: Record<Verdict, { draw(path: Path, areaPx: number): void }> = {
  faster: { draw: (path, areaPx) => triangle(path, -Math.sqrt(areaPx) * 0.62) },
  slower: { draw: (path, areaPx) => triangle(path, Math.sqrt(areaPx) * 0.62) },
  same: {
    draw: (path, areaPx) => {
      const side = Math.sqrt(areaPx) * 0.85;
      path.rect(-side / 2, -side / 2, side, side);
    },
  },
  'cannot tell': { draw: ring },
};

function triangle(path: Path, tip: number): void {
  path.moveTo(tip, 0);
  path.lineTo(-tip * 0.85, -Math.abs(tip) * 0.95);
  path.lineTo(-tip * 0.85, Math.abs(tip) * 0.95);
  path.closePath();
}

function ring(path: Path, areaPx: number): void {
  const radius = Math.sqrt(areaPx) * 0.45;
  path.moveTo(radius, 0);
  path.arc(0, 0, radius, 0, 2 * Math.PI);
}

/** The colour of a verdict as a variable of the style sheet. */
export function verdictColour(verdict: Verdict): string {
  return `var(--${verdictClass(verdict)})`;
}

/** The verdict as a class of the style sheet: `verdict-cannot-tell`. */
export function verdictClass(verdict: Verdict): string {
  return `verdict-${verdict.replaceAll(' ', '-')}`;
}
