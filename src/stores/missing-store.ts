import { Problem } from '../errors/problem.ts';

/** A store that a command should open does not exist. */
export class MissingStore extends Problem {
  /** `name` is the path or URL of the store, without a password. */
  constructor(kind: 'path' | 'URL', name: string) {
    super('store-failed', `There is no store at ${name}.`, {
      hint: `Check the ${kind}, or create a store with \`docsctl init --org-title TITLE --email EMAIL\`. To use a server, run \`docsctl login --server URL\`.`,
    });
  }
}
