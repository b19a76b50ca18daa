const maxLength = 90;

/**
 * Converts a sentence to a title: capitalized, without a filler word at the start and punctuation at the end, cut to 90
 * characters.
 */
export function sentenceTitle(sentence: string): string {
  const bare = sentence
    .replace(
      /^(?:(?:and|so|but|well|ok|okay|also|please|btw|by the way|another (?:thing|question|issue)|one more (?:thing|question)|secondly|second|\d[.)])[,:]?\s+)+/i,
      '',
    )
    .replace(/\s+/g, ' ')
    .replace(/[.。!,;:…\s-]+$/u, '')
    .trim();
  const short = shorten(bare === '' ? sentence.trim() : bare, maxLength);
  const [first = ''] = short;
  return first.toUpperCase() + short.slice(first.length);
}

/**
 * Cuts a text to at most `max` characters and ends it with an ellipsis. Cuts between words if there is a space in the second
 * half.
 */
export function shorten(text: string, max: number): string {
  const characters = [...text];
  if (characters.length <= max) return text;
  const kept = characters.slice(0, max - 1).join('');
  const space = kept.lastIndexOf(' ');
  return `${(space > max / 2 ? kept.slice(0, space) : kept).replace(/[\s,;:.-]+$/u, '')}…`;
}
