/** What two stacks had in common and what not, and whether comparing them speaks of protocols. */
export interface PairFairness {
  first: string;
  second: string;
  properties: FairnessProperty[];
  likeForLike: 'yes' | 'no' | 'unknown';
  /** Why, in one sentence. */
  sentence: string;
}

export interface FairnessProperty {
  property: string;
  /** For tables. */
  label: string;
  verdict: 'equal' | 'differs' | 'unknown';
  /** The first stack's value, as text. */
  a: string;
  b: string;
  /** Whether it has to be equal for a like-for-like comparison; false: a consequence that is shown only. */
  decides: boolean;
  note: string | null;
}
