import { findCards } from './card.ts';
import { findEmails } from './email.ts';
import { findIbans } from './iban.ts';
import { findIps } from './ip.ts';
import { redactKinds, type RedactKind, type Redactor } from './kinds.ts';
import { findPhones } from './phone.ts';
import { findTokens, findUrlCredentials } from './secrets.ts';
import { replaceSpans, type Finder } from './span.ts';

const finders: Readonly<Record<RedactKind, Finder>> = {
  'url-credentials': findUrlCredentials,
  token: findTokens,
  email: findEmails,
  iban: findIbans,
  card: findCards,
  ip: findIps,
  phone: findPhones,
};

/** Fields of a conversation that are keys and words of the API, and no text of people. */
const kept = new Set(['id', 'type', 'role', 'createdAt']);

/** A redactor of some kinds. */
export function createRedactor(kinds: readonly RedactKind[]): Redactor {
  const chosen = redactKinds.filter((kind) => kinds.includes(kind));
  const counts: Partial<Record<RedactKind, number>> = {};
  const text = (given: string, counting = true): string => {
    let result = given;
    for (const kind of chosen) {
      const spans = finders[kind](result);
      if (spans.length === 0) continue;
      if (counting) counts[kind] = (counts[kind] ?? 0) + spans.length;
      result = replaceSpans(result, spans, `[${kind}]`);
    }
    return result;
  };
  const walk = (value: unknown, change: (text: string) => string, keeps?: ReadonlySet<string>): unknown => {
    if (typeof value === 'string') return change(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => walk(item, change, keeps));
    const result = Object.create(null) as Record<string, unknown>;
    // Attributes have names that their writer chose: none of them is a word of the API.
    for (const [name, inner] of Object.entries(value))
      result[name] =
        keeps?.has(name) === true ? inner : walk(inner, change, name === 'attributes' ? undefined : keeps);
    return result;
  };
  return {
    counts,
    text: (given) => text(given, false),
    conversation: (value) => walk(value, text, kept),
    whole: (value, except) => walk(value, (given) => (given === except ? given : text(given, false))),
  };
}
