/** Refuses a value, in half a sentence; `text` is the part of it that is wrong. */
export type Fault = (message: string, text?: string) => void;

/** The members of an organization, for fields that name people by email. */
export class People {
  readonly #byEmail = new Map<string, string>();
  readonly #byId = new Map<string, string>();

  constructor(members: readonly { readonly id: string; readonly email: string | undefined }[]) {
    for (const { id, email } of members) {
      if (email !== undefined) this.#byEmail.set(email.toLowerCase(), id);
      this.#byId.set(id, email?.toLowerCase() ?? id);
    }
  }

  /** Returns the form that files use: the email in lower case, or the id if no email is known. */
  emailOf(id: string): string {
    return this.#byId.get(id) ?? id;
  }

  idOf(emailOrId: string): string {
    return this.#byEmail.get(emailOrId.toLowerCase()) ?? emailOrId;
  }

  /** Converts an email or an id to the form that files use; a fault if it is not a member. */
  normalize(emailOrId: string, fault: Fault): string {
    const id = this.idOf(emailOrId);
    if (!this.#byId.has(id))
      fault(
        `"${emailOrId.slice(0, 120)}" is not a member of the organization; invite them with \`docsctl members invite EMAIL\``,
        emailOrId,
      );
    return this.emailOf(id);
  }
}

export const nobody = new People([]);
