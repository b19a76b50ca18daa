import { Problem } from '../../errors/problem.ts';
import { readField } from '../read-field.ts';
import { notReadable, type Backend, type Body, type Kind, type Located } from '../kind.ts';

/** What is live, list by list, each read once. What cannot be read is empty: a kind that is not there, a parent that is gone. */
export class LiveCache {
  readonly backend: Backend;
  readonly #lists = new Map<string, Promise<readonly Body[]>>();

  constructor(backend: Backend) {
    this.backend = backend;
  }

  list(kind: Kind, within: Located | undefined): Promise<readonly Body[]> {
    return this.#once(`${kind.name} ${toPath(within).join(' ')}`, () => kind.list(this.backend, within));
  }

  async find(kind: Kind, { id, within }: Pick<Located, 'id' | 'within'>): Promise<Body | undefined> {
    return (await this.list(kind, within)).find((body) => body.id === id);
  }

  /** A value in the file's form, with ids for refs; `unseen` where the backend does not show it. */
  async valueOf(kind: Kind, field: string, body: Body, at: Located, stated: unknown): Promise<unknown> {
    const { fetch } = kind.fields[field]!;
    if (fetch === undefined) return readField(kind, field, body, this.backend.people);
    return fetch(this.backend, at, stated).catch((error: unknown) => {
      if (
        error instanceof Problem &&
        (error.reason === 'not-implemented' || error.reason === 'method-not-allowed')
      )
        return notReadable;
      throw error;
    });
  }

  #once(key: string, read: () => Promise<readonly Body[]>): Promise<readonly Body[]> {
    const known = this.#lists.get(key) ?? read().catch(emptyIfAbsent);
    this.#lists.set(key, known);
    return known;
  }
}

const absent: ReadonlySet<string> = new Set([
  'not-found',
  'not-implemented',
  'method-not-allowed',
  'forbidden',
]);

function emptyIfAbsent(error: unknown): readonly Body[] {
  if (error instanceof Problem && absent.has(error.reason)) return [];
  throw error;
}

/** Kind and id of a resource and of all it lies in, the outermost first. */
export function toPath(at: Located | undefined): [kind: string, id: string][] {
  return at === undefined ? [] : [...toPath(at.within), [at.kind, at.id]];
}

/** The other way round. */
export function fromPath(path: readonly (readonly string[])[]): Located | undefined {
  return path.reduce<Located | undefined>(
    (within, [kind = '', id = '']) => ({ kind, id, ...(within === undefined ? {} : { within }) }),
    undefined,
  );
}
