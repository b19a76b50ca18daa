import type { NewId } from '../core/ids.ts';
import type { WriteTransaction } from '../core/store.ts';
import { putText, readBlob } from './blobs.ts';
import { withText } from './edit-page.ts';
import { gitOid } from './hashing.ts';
import type { Entry, FileEntry, PageEntry, TextEntry } from './rows.ts';

const idPrefixes = { page: 'pag', file: 'fil', text: 'txt' } as const;

interface CopyTarget {
  /** The source and the target space of the copy. Addresses of the source become addresses of the target. */
  readonly spaces?: { readonly from: string; readonly to: string };
  readonly rewrite?: (text: string, entry: PageEntry | TextEntry) => string;
}

/** Copies entries of one content with new IDs. Links between them, by ID or by address, lead to the copies. */
export class EntryCopier {
  readonly #tx: WriteTransaction;
  readonly #ids: ReadonlyMap<string, string>;
  readonly #target: CopyTarget;
  readonly #addresses: RegExp | undefined;

  constructor(tx: WriteTransaction, newId: NewId, entries: Iterable<Entry>, target: CopyTarget = {}) {
    this.#tx = tx;
    this.#target = target;
    this.#ids = new Map([...entries].map(({ id, kind }) => [id, newId(idPrefixes[kind])]));
    const { spaces } = target;
    this.#addresses =
      spaces && new RegExp(`/s/${spaces.from}(?![\\w-])((?:/~/reusable)?/)?((?:pag|fil|txt)_\\w+)?`, 'g');
  }

  idOf(id: string): string {
    return this.#ids.get(id) ?? id;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  copy(entry: Entry): FileEntry | Promise<PageEntry | TextEntry> {
    if (entry.kind === 'file') return this.file(entry);
    return entry.kind === 'page' ? this.page(entry) : this.text(entry);
  }

  file(file: FileEntry): FileEntry {
    return { ...file, id: this.idOf(file.id) };
  }

  async text(entry: TextEntry): Promise<TextEntry> {
    const copy = { ...entry, id: this.idOf(entry.id) };
    const before = await readBlob(this.#tx, entry.blob);
    const text = this.#rewrite(before, entry);
    if (text === before) return copy;
    return {
      ...copy,
      blob: await putText(this.#tx, text),
      size: Buffer.byteLength(text),
      git: { path: entry.git.path, oid: gitOid(text) },
    };
  }

  async page(page: PageEntry): Promise<PageEntry> {
    const copy: PageEntry = {
      ...page,
      id: this.idOf(page.id),
      parent: page.parent === null ? null : this.idOf(page.parent),
    };
    if (page.href !== undefined) return { ...copy, href: this.#rewrite(page.href, page) };
    if (page.blob === undefined) return copy;
    const before = { frontMatter: page.frontMatter ?? '', body: await readBlob(this.#tx, page.blob) };
    const text = {
      frontMatter: this.#rewrite(before.frontMatter, page),
      body: this.#rewrite(before.body, page),
    };
    const isSame = text.frontMatter === before.frontMatter && text.body === before.body;
    return isSame ? copy : withText(this.#tx, copy, text, page.git?.path);
  }

  #rewrite(text: string, entry: PageEntry | TextEntry): string {
    const { spaces, rewrite } = this.#target;
    let written = text.replace(
      /(^|[("<'\s])\/(pages|files)\/([\w-]+)/g,
      (whole, before: string, kind: string, id: string) =>
        this.has(id) ? `${before}/${kind}/${this.idOf(id)}` : whole,
    );
    if (spaces !== undefined && this.#addresses !== undefined && written.includes(spaces.from))
      written = written.replace(
        this.#addresses,
        (_, slash: string | undefined, id: string | undefined) =>
          `/s/${spaces.to}${slash ?? ''}${id === undefined ? '' : this.idOf(id)}`,
      );
    return rewrite === undefined ? written : rewrite(written, entry);
  }
}
