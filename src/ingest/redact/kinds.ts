/** What can be taken out of texts, in the order in which it is looked for: what one kind takes, no later one sees. */
export const redactKinds = ['url-credentials', 'token', 'email', 'iban', 'card', 'ip', 'phone'] as const;
export type RedactKind = (typeof redactKinds)[number];

/** Takes what is private out of texts, and counts what it took. */
export interface Redactor {
  readonly counts: Readonly<Partial<Record<RedactKind, number>>>;
  text(text: string): string;
  /** A conversation with all its texts redacted; its id and its times stay. */
  conversation(value: unknown): unknown;
  /** Any value with all its texts redacted but those that equal one. */
  whole(value: unknown, except?: string): unknown;
}

/** Where nothing is to be taken out, nothing that finds it is loaded. */
export async function openRedactor(kinds: readonly RedactKind[]): Promise<Redactor> {
  if (kinds.length === 0)
    return { counts: {}, text: (text) => text, conversation: (value) => value, whole: (value) => value };
  const { createRedactor } = await import('./index.ts');
  return createRedactor(kinds);
}
