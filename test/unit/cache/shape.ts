import assert from 'node:assert/strict';
import { type PageShape, readShapes } from '../../../cache/shapes/shapes.ts';

/** The shape of one site by its name. */
export function readShape(site: string): PageShape {
  const shape = readShapes().find((candidate) => candidate.site === site);
  assert.ok(shape, site);
  return shape;
}
