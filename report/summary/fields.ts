import * as s from '../../ground/records/schema.ts';

export const variant = s.text('Values of the factors, joined by dots.');

export const condition = { network: s.name('Name of the network condition.'), variant };

export const stacks = { arm: s.name('The stack.'), baseline: s.name('What it is compared with.') };

export const countOfBoth = (description: string) =>
  s.object({ arm: s.count("The stack's."), baseline: s.count("The baseline's.") }, description);

export const share = (description: string) => s.number(description, { minimum: 0, maximum: 1 });

export const probability = (description: string) => s.orNull(share(description));

export const sentenceList = (description: string) => s.list(s.text('A sentence.'), description);

export const siteNames = (description: string) => s.list(s.name('A site.'), description);
