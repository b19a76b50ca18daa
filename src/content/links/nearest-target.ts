import { posix } from 'node:path';
import type { LinkIndex } from './link-index.ts';
import { decode, describeMissing, type LinkSource } from './link-targets.ts';
import { schemeOf } from '../../contract/open-address.ts';

/** A link that may be meant by a broken one, and the name that its target must have in the index of links. */
interface Guess {
  readonly name: string;
  readonly href: string;
}

/**
 * Yields the links that a broken link to a path may mean, best first: the same path from the address of the page, where links
 * start in some other tools, from each folder above the page, and without its first folder if the link leads out of the space,
 * because that may be the folder that was imported.
 */
export function* guessLinks(source: LinkSource, href: string): Generator<Guess> {
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(href) ?? [];
  const inner = path.replace(/^(?:\.{0,2}\/)+/, '').replace(/\/$/, '');
  // Nearly every folder has such a page, so the name does not tell which one is meant.
  if (inner === '' || schemeOf(href) !== undefined || /^(?:README|index)(?:\.\w+)?$/i.test(inner)) return;
  const start = source.git ?? source.path ?? '';
  const folder = posix.dirname(start);
  const paths = new Set<string>();
  if (!path.startsWith('/')) paths.add(posix.join(start.replace(/\.\w+$/, ''), path).replace(/\/$/, ''));
  for (let above = folder; above !== '.'; above = posix.dirname(above)) paths.add(posix.join(above, inner));
  paths.add(inner);
  if (posix.join(folder, path).startsWith('../')) paths.add(inner.replace(/^[^/]+\//, ''));
  for (const each of paths)
    yield {
      name: `path:${decode(each)}`,
      href: (posix.relative(folder, each) || '.').replaceAll(' ', '%20') + rest,
    };
}

/** Explains why a link to a path has no target, and suggests a link that has one. */
export async function explainMissing(
  source: LinkSource | undefined,
  href: string,
  index: LinkIndex | undefined,
): Promise<string> {
  const message = describeMissing(href);
  if (source === undefined || index === undefined) return message;
  for (const guess of guessLinks(source, href))
    if ((await index.winner(guess.name)) !== undefined) return `${message} Did you mean ${guess.href}?`;
  return message;
}
