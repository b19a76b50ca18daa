/** Maximum characters before a hit. More would leave no room for it in a narrow column. */
const maxLead = 20;

/** Returns the part of a text that starts shortly before the first word of a search. */
export function excerptOf(text: string, query: string): string {
  const lower = text.toLowerCase();
  const hits = [...query.toLowerCase().matchAll(/[\p{L}\p{N}]{2,}/gu)]
    .map(([word]) => lower.indexOf(word.slice(0, Math.max(4, word.length - 3))))
    .filter((index) => index >= 0);
  const hit = Math.min(...hits);
  if (hits.length === 0 || hit <= maxLead) return text;
  const blank = text.indexOf(' ', hit - maxLead);
  return `…${text.slice(blank === -1 || blank >= hit ? hit : blank + 1)}`;
}
