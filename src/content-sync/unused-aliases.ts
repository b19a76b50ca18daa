import { posix } from 'node:path';
import { plural } from '../contract/values.ts';
import type { Warning } from './folder.ts';
import type { FolderSettings } from './settings.ts';

/** Finds old addresses in front matter for which the settings have no redirect, and warns once about all of them. */
export class UnusedAliases {
  readonly #redirects: ReadonlySet<string>;
  #first: { readonly file: string; readonly alias: string } | undefined;
  #count = 0;

  constructor({ redirects }: FolderSettings) {
    this.#redirects = new Set([...redirects.keys()].map(normalize));
  }

  /** Adds the old addresses of a page. */
  add(file: string, aliases: readonly string[]): void {
    for (const alias of aliases) {
      if (this.#redirects.has(normalize(alias))) continue;
      this.#first ??= { file, alias };
      this.#count++;
    }
  }

  get warnings(): Warning[] {
    if (this.#first === undefined) return [];
    const { file, alias } = this.#first;
    const more = plural(this.#count - 1, 'more old address', 'more old addresses');
    return [
      {
        file,
        line: 0,
        rule: 'old-address',
        message: `lists the old address ${alias.slice(0, 200)}, which does not become a redirect; add it to the redirects of .gitbook.yaml${
          this.#count === 1 ? '' : `. The same applies to ${more}`
        }`,
      },
    ];
  }
}

function normalize(path: string): string {
  return posix.join('/', path).replace(/\/$/, '');
}
