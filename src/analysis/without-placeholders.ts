/** A placeholder of docsctl, or one in capitals such as `[PERSON_NAME]`, which other tools write. */
const placeholder = String.raw`\[(?:name|address|password|url-credentials|token|email|iban|card|phone|ip|[A-Z][A-Z_]{3,})\]`;
/** A placeholder with the word before it, as in "is [password]", or the comma around a name. */
const aside = new RegExp(
  String.raw`(?:[\s,;:=]{1,3}(?:is|to|at|as|by|from|for|with|of|in|ist|lautet|an|von|mit|est|es|à|de|con|por|and))?[\s,;:=("“'-]{0,3}${placeholder}(?:['’]s)?[)"”']?`,
  'gu',
);

/** Removes placeholders such as `[name]` from a text for a label, because a label names what a group has in common. */
export function withoutPlaceholders(text: string): string {
  if (!text.includes('[')) return text;
  return text
    .replace(aside, ' ')
    .replace(/\s+/g, ' ')
    .replace(/\s(?=[,.;:!?])/g, '')
    .replace(/^[\s,.;:!?–—-]+/, '')
    .trim();
}
