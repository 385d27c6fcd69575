import type { Study } from '../report/study.ts';
import { dagata } from './dagata/study.ts';
import { dresden } from './dresden/study.ts';
import { headOfLine } from './head-of-line/study.ts';
import { isQuicFaster } from './is-quic-faster/study.ts';
import { jaeger } from './jaeger/study.ts';
import { panda } from './panda/study.ts';
import { published2018 } from './published-2018/study.ts';

/** Comparisons with their own question, measured by the benchmark. */
export const STUDIES: readonly Study[] = [
  published2018,
  headOfLine,
  jaeger,
  panda,
  dagata,
  dresden,
  isQuicFaster,
];
