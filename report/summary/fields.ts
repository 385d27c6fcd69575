import { count, list, name, number, object, orNull, text } from '../../ground/records/schema.ts';

export const variant = text('Values of the factors, joined by dots.');

export const condition = { network: name('Name of the network condition.'), variant };

export const stacks = { arm: name('The stack.'), baseline: name('What it is compared with.') };

export const countOfBoth = (description: string) =>
  object({ arm: count("The stack's."), baseline: count("The baseline's.") }, description);

export const share = (description: string) => number(description, { minimum: 0, maximum: 1 });

export const probability = (description: string) => orNull(share(description));

export const sentenceList = (description: string) => list(text('A sentence.'), description);

export const siteNames = (description: string) => list(name('A site.'), description);
