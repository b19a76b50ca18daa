/** Characters of a title. */
const longest = 90;

/** A sentence of the user's as a title: begins large, ends without a full stop, and is cut between words. */
export function titleOf(sentence: string): string {
  const said = sentence
    .replace(
      /^(?:(?:and|so|but|well|ok|okay|also|please|btw|by the way|another (?:thing|question|issue)|one more (?:thing|question)|secondly|second|\d[.)])[,:]?\s+)+/i,
      '',
    )
    .replace(/\s+/g, ' ')
    .replace(/[.。!,;:…\s-]+$/u, '')
    .trim();
  const whole = said === '' ? sentence.trim() : said;
  const short = cut(whole, longest);
  const [first = ''] = short;
  return first.toUpperCase() + short.slice(first.length);
}

/** A text of at most so many characters, cut between words where there is a place to. */
export function cut(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const kept = characters.slice(0, most - 1).join('');
  const space = kept.lastIndexOf(' ');
  return `${(space > most / 2 ? kept.slice(0, space) : kept).replace(/[\s,;:.-]+$/u, '')}…`;
}
