import { findAddresses } from './address.ts';
import { findCards } from './card.ts';
import { findEmails } from './email.ts';
import { readHtml } from './html-text.ts';
import { findIbans } from './iban.ts';
import { findIps } from './ip.ts';
import { redactKinds, type KnownData, type RedactKind, type Redactor } from './kinds.ts';
import { createKnownRedactor, findKnownData, type ConversationTexts } from './known-data.ts';
import { findNames } from './name.ts';
import { findPasswords } from './password.ts';
import { findPhones } from './phone.ts';
import { findTokens, findUrlCredentials } from './secrets.ts';
import { mergeSpans, replaceSpans, type Finder } from './span.ts';

const finders: Readonly<Record<RedactKind, Finder>> = {
  password: findPasswords,
  'url-credentials': findUrlCredentials,
  token: findTokens,
  email: findEmails,
  iban: findIbans,
  card: findCards,
  ip: findIps,
  phone: findPhones,
  address: findAddresses,
  name: findNames,
};

/** Fields of a conversation that contain values of the API instead of text by people. */
const keptFields = new Set(['id', 'type', 'role', 'createdAt']);

/** Kinds of data that a conversation may repeat in other texts, where no rule finds them. */
const repeatedKinds: readonly RedactKind[] = ['password', 'address', 'name'];

/**
 * Creates a redactor for some kinds of private data. `known` is additional data to replace that no rule finds (default: none).
 */
export function createRedactor(kinds: readonly RedactKind[], known?: KnownData): Redactor {
  const orderedKinds = redactKinds.filter((kind) => kinds.includes(kind));
  const counts: Partial<Record<RedactKind, number>> = {};
  const redactKnown = known === undefined ? undefined : createKnownRedactor(known, kinds);
  const redact = (text: string, isCounted: boolean, replaceKnown = redactKnown): string => {
    let result = text;
    for (const kind of orderedKinds) {
      const html = repeatedKinds.includes(kind) ? readHtml(result) : undefined;
      const spans =
        html === undefined ? finders[kind](result) : mergeSpans(finders[kind](html.plain).map(html.spanOf));
      if (spans.length === 0) continue;
      if (isCounted) counts[kind] = (counts[kind] ?? 0) + spans.length;
      result = replaceSpans(result, spans, `[${kind}]`);
    }
    if (replaceKnown === undefined) return result;
    const replaced = replaceKnown(result);
    if (isCounted) countMore(counts, result, replaced);
    return replaced;
  };
  const redactText = (text: string) => redact(text, false);
  return {
    counts,
    redactText,
    redactConversation: (value) => {
      const repeated = orderedKinds.some((kind) => repeatedKinds.includes(kind))
        ? createKnownRedactor(findKnownData(textsOf(value)), kinds)
        : undefined;
      return mapTexts(value, (text) => redact(text, true, repeated), keptFields);
    },
    redactValue: (value, except) => mapTexts(value, (text) => (text === except ? text : redactText(text))),
  };
}

/** Counts the replacements of a second pass. */
function countMore(counts: Partial<Record<RedactKind, number>>, before: string, after: string): void {
  if (before === after) return;
  for (const kind of repeatedKinds) {
    const added = after.split(`[${kind}]`).length - before.split(`[${kind}]`).length;
    if (added > 0) counts[kind] = (counts[kind] ?? 0) + added;
  }
}

/** Returns the texts of a conversation; none for a value of another form. */
function textsOf(value: unknown): ConversationTexts {
  const { subject, metadata, parts } = (value ?? {}) as {
    subject?: unknown;
    metadata?: { attributes?: unknown };
    parts?: unknown;
  };
  const isObject = (each: unknown): each is Record<string, unknown> =>
    typeof each === 'object' && each !== null;
  const attributes = isObject(metadata?.attributes)
    ? Object.fromEntries(
        Object.entries(metadata.attributes).flatMap(([key, text]) =>
          typeof text === 'string' ? [[key, text]] : [],
        ),
      )
    : {};
  return {
    ...(typeof subject === 'string' && { subject }),
    attributes,
    parts: (Array.isArray(parts) ? (parts as unknown[]) : []).flatMap((part) =>
      isObject(part) && typeof part['body'] === 'string'
        ? [{ role: String(part['role']), body: part['body'] }]
        : [],
    ),
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
