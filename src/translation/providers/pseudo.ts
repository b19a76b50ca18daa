import type { Provider } from '../provider.ts';

const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const accented = 'áƀçðéƒĝĥíĵķļɱñóþǫŕšţúṽŵẋýžÁßÇÐÉƑĜĤÍĴĶĻṀÑÓÞǪŔŠŢÚṼŴẊÝŽ';
const letters = new Map([...plain].map((letter, index) => [letter, [...accented][index]!]));

/** Pseudo-localization: letters with accents, a third longer, in brackets, so that one sees what is not translated and what does not fit. Asks nobody. */
export function pseudo(): Provider {
  return {
    name: 'pseudo',
    followsInstructions: false,
    limits: { segments: 500, characters: 200_000, parallel: 1 },
    translate: (segments) => Promise.resolve(segments.map(pseudoOf)),
  };
}

function pseudoOf(wire: string): string {
  const text = wire
    .split(/(<[^<>]*>|&[a-z]+;)/)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replace(/[a-zA-Z]/g, (letter) => letters.get(letter)!),
    )
    .join('');
  const length = wire.replace(/<[^<>]*>/g, '').length;
  return `⟦${text}${length > 3 ? ' ' : ''}${'·'.repeat(Math.min(200, Math.floor(length / 4)))}⟧`;
}
