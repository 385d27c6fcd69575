import type { Block } from './blocks.ts';
import { cpuPressureSentence } from './cpu-pressure.ts';
import { fullSocketsSentence } from './full-sockets.ts';
import type { NamedPair } from './named-pair.ts';

/** What the machine did to one of two stacks and not to the other, as sentences. */
export function machineNotes(pair: NamedPair, blocks: readonly Block[]): string[] {
  const measured = blocks.flatMap(({ made }) => made);
  const sentences = [
    ...[pair.arm, pair.baseline].map(({ arm, label }) =>
      fullSocketsSentence(
        label,
        measured.filter((load) => load.arm === arm),
      ),
    ),
    cpuPressureSentence(pair, blocks),
  ];
  return sentences.filter((sentence) => sentence !== null);
}
