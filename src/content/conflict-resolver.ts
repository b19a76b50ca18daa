import { Problem } from '../errors/problem.ts';
import type { Side, Sides } from './merge-sides.ts';
import type { Entry } from './rows.ts';

/** A part of a page, file or text that both sides changed differently. */
export interface Conflict {
  readonly kind: Entry['kind'];
  readonly id: string;
  readonly title: string;
  /** The path of a page, such as `/guides/start`, or else the name of the file. */
  readonly path: string;
  /** `text`, the name of a field, `place` (in the tree), or `deleted`. */
  readonly place: string;
  /** The line in the text of the base, from 1. */
  readonly line?: number | undefined;
  readonly base?: string | undefined;
  readonly ours?: string | undefined;
  readonly theirs?: string | undefined;
}

/** How to resolve the conflicts of one page or file. */
interface Resolution {
  /** The ID, or the path of a page. */
  readonly page: string;
  readonly take?: Side;
  /** The whole text to use instead. */
  readonly markdown?: string;
}
export interface Resolutions {
  readonly resolutions?: readonly Resolution[];
  /** The side to take for conflicts without a resolution. */
  readonly take?: Side;
}

/** Whether resolutions contain a text that neither side has. */
export function bringsText({ resolutions = [] }: Resolutions): boolean {
  return resolutions.some(({ markdown }) => markdown !== undefined);
}

/** Resolves conflicts by the resolutions, and lists the conflicts without one. */
export class ConflictResolver {
  readonly conflicts: Conflict[] = [];
  /** Edited texts for entries with a conflict, by ID. The merge applies them last. */
  readonly editedTexts = new Map<string, string>();
  readonly #sides: Sides;
  readonly #given: Resolutions;
  readonly #used = new Set<Resolution>();
  readonly #known = new Set<string>();
  readonly #paths = new Map<string, string>();

  constructor(sides: Sides, given: Resolutions) {
    this.#sides = sides;
    this.#given = given;
  }

  /** Chooses a side for a conflict. If there is no resolution, the conflict is listed, and our side is returned for now. */
  async decide(
    entry: Entry,
    conflict: Pick<Conflict, 'place' | 'line' | 'base' | 'ours' | 'theirs'>,
  ): Promise<Side> {
    const side =
      (await this.#resolutionsOf(entry)).find(({ take }) => take !== undefined)?.take ?? this.#given.take;
    if (side === undefined) await this.note(entry, conflict);
    return side ?? 'ours';
  }

  async editedText(entry: Entry): Promise<string | undefined> {
    await this.#resolutionsOf(entry);
    return this.editedTexts.get(entry.id);
  }

  async note(
    entry: Entry,
    { place, line, base, ...values }: Pick<Conflict, 'place' | 'line' | 'base' | 'ours' | 'theirs'>,
  ): Promise<void> {
    const { ours, theirs } =
      place === 'place' || place === 'deleted'
        ? { ours: await this.#fateOf('ours', entry), theirs: await this.#fateOf('theirs', entry) }
        : values;
    const key = [entry.id, place, line].join();
    if (this.#known.has(key)) return;
    this.#known.add(key);
    const title = entry.kind === 'file' ? entry.name : entry.title;
    this.conflicts.push({
      kind: entry.kind,
      id: entry.id,
      title,
      path: await this.#pathOf(entry),
      place,
      line,
      base,
      ours,
      theirs,
    });
  }

  /** The resolutions that match no conflict. */
  get unused(): Resolution[] {
    return (this.#given.resolutions ?? []).filter((resolution) => !this.#used.has(resolution));
  }

  /** Describes whether a side deleted, edited or moved an entry. */
  async #fateOf(side: Side, { id }: Entry): Promise<string> {
    const entry = await this.#sides.entry(side, id);
    if (entry === undefined) return 'deleted';
    if (entry.kind !== 'page' || !this.#sides.hasPlaced(side, id)) return 'edited';
    const parent = entry.parent === null ? undefined : await this.#sides.page(side, entry.parent);
    return parent === undefined ? 'moved to the top' : `moved under "${parent.title}"`;
  }

  /** Returns the path of an entry. It is cached, because a long text may have a conflict on every other line. */
  async #pathOf(entry: Entry): Promise<string> {
    const path = this.#paths.get(entry.id) ?? (await this.#sides.pathOf(entry));
    this.#paths.set(entry.id, path);
    return path;
  }

  async #resolutionsOf(entry: Entry): Promise<Resolution[]> {
    const { resolutions = [] } = this.#given;
    if (resolutions.length === 0) return [];
    const path = await this.#pathOf(entry);
    const found = resolutions.filter((resolution) => matchesPath(resolution, { id: entry.id, path }));
    for (const resolution of found) {
      this.#used.add(resolution);
      if (resolution.markdown === undefined) continue;
      if (!hasText(entry))
        throw new Problem('invalid-input', `"${path}" has no text that could be edited.`, {
          hint: 'Choose a side for it: ours or theirs.',
        });
      this.editedTexts.set(entry.id, resolution.markdown);
    }
    const takes = new Set(found.flatMap(({ take }) => take ?? []));
    if (takes.size > 1)
      throw new Problem('invalid-input', `The conflicts of "${path}" are resolved twice.`, {
        hint: 'Keep either ours or theirs.',
      });
    return found;
  }
}

/** Whether a resolution is for the page or file of a conflict. */
export function matchesPath({ page }: Resolution, { id, path }: Pick<Conflict, 'id' | 'path'>): boolean {
  return page === id || trimSlashes(page) === trimSlashes(path);
}

function hasText(entry: Entry): boolean {
  return entry.kind === 'text' || (entry.kind === 'page' && entry.type === 'document');
}

function trimSlashes(path: string): string {
  return path.replace(/^\/|\/$/g, '');
}
