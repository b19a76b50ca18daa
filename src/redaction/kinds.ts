/** The kinds of private data, in search order. Later kinds do not search text that an earlier kind has replaced. */
export const redactKinds = [
  'password',
  'url-credentials',
  'token',
  'email',
  'iban',
  'card',
  'ip',
  'phone',
  'address',
  'name',
] as const;
export type RedactKind = (typeof redactKinds)[number];

/** Kinds of private data that quotes from conversations must not show. IP addresses are often the topic of a question. */
export const privateKinds = redactKinds.filter((kind) => kind !== 'ip');

/** Private data that a conversation contains somewhere, so that it is found in its other texts too. */
export interface KnownData {
  /** Words of names, in lower case. */
  readonly names: readonly string[];
  /** Words from the local parts of email addresses, in lower case. Some of them are not names. */
  readonly localParts: readonly string[];
  /** Addresses and passwords, with their kinds. */
  readonly values: ReadonlyMap<string, RedactKind>;
}

/** Replaces private data in texts by its kind, such as `[email]`. */
export interface Redactor {
  /** The number of replacements in conversations, by kind. */
  readonly counts: Readonly<Partial<Record<RedactKind, number>>>;
  /** Redacts a text without counting. */
  redactText(text: string): string;
  /** Redacts all texts of a conversation except ids, types, roles and times, and counts. */
  redactConversation(value: unknown): unknown;
  /** Redacts all texts of a value, except those equal to `except`, without counting. */
  redactValue(value: unknown, except?: string): unknown;
}

/** Creates a redactor. Without kinds, it changes nothing and loads no search code. */
export async function openRedactor(kinds: readonly RedactKind[]): Promise<Redactor> {
  if (kinds.length === 0)
    return {
      counts: {},
      redactText: (text) => text,
      redactConversation: (value) => value,
      redactValue: (value) => value,
    };
  const { createRedactor } = await import('./create-redactor.ts');
  return createRedactor(kinds);
}
