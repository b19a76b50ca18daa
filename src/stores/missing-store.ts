import { Problem } from '../errors/problem.ts';

/** A store that a command should open does not exist. */
export class MissingStore extends Problem {
  /** The path or URL of the store, without a password. */
  readonly place: string;

  constructor(kind: 'path' | 'URL', place: string) {
    super('store-failed', `There is no store at ${place}.`, {
      hint: `Check the ${kind}, or create a store with \`docsctl init --org-title TITLE --email EMAIL\`. To use a server, run \`docsctl login --server URL\`.`,
    });
    this.place = place;
  }
}
