import { isRecord } from '../contract/values.ts';
import { normalizeEmail } from '../core/emails.ts';

/** Reports a fault in half a sentence. `text` is the wrong part of the value. */
export type Fault = (message: string, text?: string) => void;

interface Person {
  readonly id: string;
  readonly email: string | undefined;
}

/** The members of an organization, for fields that name people by email. */
export class People {
  readonly #byEmail = new Map<string, string>();
  readonly #byId = new Map<string, string>();
  /** The emails, in lower case, of people that the manifest invites. */
  readonly #expected = new Set<string>();
  /** IDs, and emails in lower case, of people who have not accepted their invitation. */
  readonly #invited = new Set<string>();

  constructor(members: readonly Person[]) {
    for (const member of members) this.add(member);
  }

  add({ id, email }: Person, isInvited = false): void {
    const name = email && normalizeEmail(email);
    if (name !== undefined) this.#byEmail.set(name, id);
    this.#byId.set(id, name ?? id);
    if (isInvited) for (const one of [id, name ?? id]) this.#invited.add(one);
  }

  /** Allows fields to name people who will be members when the fields are set. */
  expect(email: string): void {
    this.#expected.add(normalizeEmail(email));
  }

  /** Whether a person was invited but is not a member yet. */
  isInvited(emailOrId: string): boolean {
    return this.#invited.has(emailOrId) || this.#invited.has(normalizeEmail(emailOrId));
  }

  /** Removes people who are only invited from the lists of a value, because calls cannot name them yet. */
  withoutInvited(value: unknown): unknown {
    if (this.#invited.size === 0) return value;
    if (Array.isArray(value))
      return value.flatMap((item) =>
        this.isInvited(String(isRecord(item) ? item['email'] : item)) ? [] : [this.withoutInvited(item)],
      );
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, this.withoutInvited(inner)]),
    );
  }

  /** Returns the form that files use: the email in lower case, or the ID if the email is unknown. */
  emailOf(id: string): string {
    return this.#byId.get(id) ?? id;
  }

  idOf(emailOrId: string): string {
    return this.#byEmail.get(normalizeEmail(emailOrId)) ?? emailOrId;
  }

  /** Converts an email or an ID to the form that files use. Reports a fault if it is not a member. */
  normalize(emailOrId: string, fault: Fault): string {
    const lower = normalizeEmail(emailOrId);
    const id = this.idOf(emailOrId);
    if (!this.#byId.has(id) && this.#expected.has(lower)) return lower;
    if (!this.#byId.has(id))
      fault(
        `"${emailOrId.slice(0, 120)}" is not a member of the organization; invite them with \`docsctl members invite EMAIL\` or add them to "members"`,
        emailOrId,
      );
    return this.emailOf(id);
  }
}

export const nobody = new People([]);
