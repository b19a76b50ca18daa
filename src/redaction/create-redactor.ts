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

/** Fields of a conversation with values of the API instead of text by people. */
const keptFields = new Set(['id', 'type', 'role', 'createdAt']);

/** Creates a redactor for some kinds of private data. */
export function createRedactor(kinds: readonly RedactKind[]): Redactor {
  const orderedKinds = redactKinds.filter((kind) => kinds.includes(kind));
  const counts: Partial<Record<RedactKind, number>> = {};
  const redact = (text: string, isCounted: boolean): string => {
    let result = text;
    for (const kind of orderedKinds) {
      const spans = finders[kind](result);
      if (spans.length === 0) continue;
      if (isCounted) counts[kind] = (counts[kind] ?? 0) + spans.length;
      result = replaceSpans(result, spans, `[${kind}]`);
    }
    return result;
  };
  const redactText = (text: string) => redact(text, false);
  return {
    counts,
    redactText,
    redactConversation: (value) => mapTexts(value, (text) => redact(text, true), keptFields),
    redactValue: (value, except) => mapTexts(value, (text) => (text === except ? text : redactText(text))),
  };
}

function mapTexts(value: unknown, change: (text: string) => string, kept?: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change, kept));
  const result = Object.create(null) as Record<string, unknown>;
  // Users choose the names of attributes, so an attribute such as "id" is redacted too.
  for (const [name, inner] of Object.entries(value))
    result[name] =
      kept?.has(name) === true ? inner : mapTexts(inner, change, name === 'attributes' ? undefined : kept);
  return result;
}
