export type ChannelFacts = object;
export const factsOf = (_id: number) => '[]';
