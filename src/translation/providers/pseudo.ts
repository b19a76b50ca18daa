import type { Provider } from '../provider.ts';

const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const accented = 'áƀçðéƒĝĥíĵķļɱñóþǫŕšţúṽŵẋýžÁßÇÐÉƑĜĤÍĴĶĻṀÑÓÞǪŔŠŢÚṼŴẊÝŽ';
const accents = new Map(Array.from(accented, (letter, index) => [plain.charAt(index), letter]));

/**
 * Pseudo-localization, without any service: letters get accents, and the text gets brackets and dots for a quarter of its length.
 * This shows which text is not translated, and where longer text does not fit.
 */
export function pseudo(): Provider {
  return {
    name: 'pseudo',
    followsInstructions: false,
    limits: { segments: 500, characters: 200_000, parallel: 1 },
    translate: (segments) => Promise.resolve(segments.map(pseudoLocalize)),
  };
}

function pseudoLocalize(wire: string): string {
  const text = wire
    .split(/(<[^<>]*>|&[a-z]+;)/)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replace(/[a-zA-Z]/g, (letter) => accents.get(letter) ?? letter),
    )
    .join('');
  const length = wire.replace(/<[^<>]*>/g, '').length;
  return `⟦${text}${length > 3 ? ' ' : ''}${'·'.repeat(Math.min(200, Math.floor(length / 4)))}⟧`;
}
