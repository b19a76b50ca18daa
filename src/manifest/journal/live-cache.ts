import { Problem } from '../../errors/problem.ts';
import { readField } from '../read-field.ts';
import { unsupportedReasons } from '../export/read-live.ts';
import { getField, notReadable, type Backend, type Body, type Kind, type Located } from '../kind.ts';
import type { ResourcePath } from './journal-lines.ts';

/** Lists of live resources, each read once. What is gone, or cannot be read, is an empty list. */
export class LiveCache {
  readonly backend: Backend;
  readonly #lists = new Map<string, Promise<readonly Body[]>>();

  constructor(backend: Backend) {
    this.backend = backend;
  }

  list(kind: Kind, within: Located | undefined): Promise<readonly Body[]> {
    const key = `${kind.name} ${toPath(within).join(' ')}`;
    const list = this.#lists.get(key) ?? kind.list(this.backend, within).catch(emptyIfAbsent);
    this.#lists.set(key, list);
    return list;
  }

  async find(kind: Kind, id: string, within: Located | undefined): Promise<Body | undefined> {
    return (await this.list(kind, within)).find((body) => body.id === id);
  }

  /** Reads a field in the form of the manifest, with ids for references; `notReadable` where the backend does not show it. */
  async valueOf(
    kind: Kind,
    name: string,
    body: Body,
    within: Located | undefined,
    stated?: unknown,
  ): Promise<unknown> {
    const { fetch } = getField(kind, name);
    if (fetch === undefined) return readField(kind, name, body, this.backend.people);
    try {
      return await fetch(this.backend, { kind: kind.name, id: body.id, within }, stated);
    } catch (error) {
      if (error instanceof Problem && unsupportedReasons.has(error.reason)) return notReadable;
      throw error;
    }
  }
}

const absent: ReadonlySet<string> = new Set([...unsupportedReasons, 'not-found', 'forbidden']);

function emptyIfAbsent(error: unknown): readonly Body[] {
  if (error instanceof Problem && absent.has(error.reason)) return [];
  throw error;
}

/** Writes a resource, and all it lies in, as kinds and ids, the outermost first. */
export function toPath(at: Located | undefined): ResourcePath {
  return at === undefined ? [] : [...toPath(at.within), [at.kind, at.id]];
}

export function fromPath(path: ResourcePath): Located | undefined {
  return path.reduce<Located | undefined>((within, [kind, id]) => ({ kind, id, within }), undefined);
}
