import { posix } from 'node:path';
import { namesOf, type LinkSource } from '../content/links/link-targets.ts';
import { readPageText } from '../richtext/front-matter.ts';
import { scanLinks, type ScannedLink } from '../richtext/scan-links.ts';
import { countLines, type FolderPage } from './page-reader.ts';
import type { MarkdownFolder } from './read-folder.ts';
import { SlugSet } from './slug-set.ts';

/** A page, file or included text in the form that the index of links will have after an import. */
export interface FolderTarget extends LinkSource {
  /** The ID as in the index: `page:`, `file:` or `reusable:`, and a number. */
  readonly id: string;
  /** The file that contains its links, if it is not `git`. For a link in the table of contents, it is the table of contents. */
  readonly file?: string;
  /** The text without front matter; undefined for files. */
  readonly text?: string;
  /** Its links, with their lines in the file. */
  readonly links: readonly ScannedLink[];
}

/** The possible targets of links in a folder after an import, by the names in the index of links. */
export class FolderTargets {
  readonly all: readonly FolderTarget[];
  readonly #byId: ReadonlyMap<string, FolderTarget>;
  readonly #byName = new Map<string, readonly [rank: number, targets: FolderTarget[]]>();

  constructor(folder: MarkdownFolder) {
    this.all = [...listTargets(folder)];
    this.#byId = new Map(this.all.map((target) => [target.id, target]));
    for (const target of this.all)
      for (const [name, rank] of namesOf(target.id, target)) {
        const [best = Infinity, targets] = this.#byName.get(name) ?? [];
        if (rank < best) this.#byName.set(name, [rank, [target]]);
        else if (rank === best) targets?.push(target);
      }
  }

  find(name: string): FolderTarget | undefined {
    return this.#byId.get(name) ?? this.#byName.get(name)?.[1][0];
  }

  /** Returns the targets that a name fits equally well. */
  findAll(name: string): readonly FolderTarget[] {
    return this.#byName.get(name)?.[1] ?? [];
  }
}

/** Yields the possible targets of links. */
function* listTargets({ root, pages, files, texts }: MarkdownFolder): Generator<FolderTarget> {
  let number = 0;
  function* below(siblings: readonly FolderPage[], parent: string): Generator<FolderTarget> {
    const slugs = new SlugSet([]);
    for (const page of siblings) {
      const path = posix.join(parent, slugs.take(page));
      const id = `page:${++number}`;
      if (page.type === 'document') {
        const { frontMatter, body } = readPageText(page.markdown);
        const above = countLines(frontMatter);
        const links = scanLinks(body).map((link) => ({ ...link, line: above + link.line }));
        yield { id, path, git: page.path, text: body, links };
      } else if (page.type === 'group') yield { id, path, links: [] };
      // Missing targets were already reported when the table of contents was read.
      else if (page.computed === undefined && page.href?.includes('#') === true) {
        const link = { href: page.href, line: page.line ?? 1, kind: 'link' } as const;
        yield { id, file: page.path, links: [link] };
      }
      yield* below(page.children, path);
    }
  }
  yield* below(pages, '');
  for (const { path } of files) yield { id: `file:${++number}`, git: path, links: [] };
  for (const { role, file, text } of texts)
    if (role === 'include')
      yield {
        id: `reusable:${++number}`,
        git: posix.relative(root, file),
        text,
        links: scanLinks(text),
      };
}
