/** Describes an error of JSON.parse as the start of a sentence. `name` is the name of the text. */
export function describeJsonError(name: string, text: string, error: unknown): string {
  const { message } = error as Error;
  const [, reason = '', position] = /^(.*?)(?: in JSON)?(?: at position (\d+).*)?$/s.exec(message) ?? [];
  const comma = findTrailingComma(text);
  const isEnd = message === 'Unexpected end of JSON input';
  const offset = isEnd ? text.trimEnd().length : position === undefined ? undefined : Number(position);
  if (comma !== undefined && (offset === undefined || comma < offset))
    return `${placeOf(comma)}: not valid JSON: remove the comma before ${text.slice(comma + 1).trim()[0]}`;
  if (offset === undefined) return `${name} is not valid JSON: ${reason}`;
  return `${placeOf(offset)}: not valid JSON: ${isEnd ? 'the text ends too early' : reason}`;

  function placeOf(at: number): string {
    const before = text.slice(0, at);
    return `${name}, line ${before.split('\n').length}, column ${at - before.lastIndexOf('\n')}`;
  }
}

/** Returns the offset of the first comma before a } or ], outside of strings. */
function findTrailingComma(text: string): number | undefined {
  for (const { 0: piece, index } of text.matchAll(/"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])/g))
    if (piece === ',') return index;
  return undefined;
}
