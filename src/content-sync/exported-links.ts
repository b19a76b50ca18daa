import { flattenPages } from '../contract/values.ts';
import { posix } from 'node:path';
import {
  findNamed,
  namesOf,
  resolveHref,
  type LinkSource,
  type LinkTargetId,
} from '../content/links/link-targets.ts';
import type { ExportPaths } from './assign-paths.ts';
import { anchorIn, rewriteText } from './copied-links.ts';
import { relativeLink } from './resolve-link.ts';
import { type SpaceContent } from './space-content.ts';

/** A page, file or include before and after the export. The export gives it the path `file`. */
interface ExportedTarget {
  readonly id: LinkTargetId;
  readonly before: LinkSource;
  readonly after: LinkSource;
  readonly file: string | undefined;
}

/**
 * Returns a function that rewrites links of a text that would have another target, or none, in the exported folder. These are
 * links from or to pages whose files do not have the paths that links in the space assume.
 */
export function createLinkRewriter(
  content: SpaceContent,
  root: string,
  paths: ExportPaths,
): (id: LinkTargetId, text: string) => string {
  const targets = new Map([...listTargets(content, root, paths)].map((target) => [target.id, target]));
  const isMoved = ({ before: { path, git }, after }: ExportedTarget): boolean =>
    after.git !== (git ?? (path === undefined ? after.git : after.git && `${path}.md`));
  if (![...targets.values()].some(isMoved)) return (_id, text) => text;
  const namesBefore = tableOf(targets.values(), 'before');
  const namesAfter = tableOf(targets.values(), 'after');
  return (id, text) => {
    const source = targets.get(id);
    if (source?.file === undefined) return text;
    const { file: from, before, after } = source;
    return rewriteText(text, (href) => {
      const [old, current] = [resolveHref(id, before, href), resolveHref(id, after, href)];
      if (old.kind !== 'name') return undefined;
      const target = findNamed(old, (name) => namesBefore.get(name));
      if (current.kind === 'name' && findNamed(current, (name) => namesAfter.get(name)) === target)
        return undefined;
      const file = targets.get(target ?? '')?.file;
      const query = /^(?!\[\[)[^#]*?(\?[^#]*)/.exec(href)?.[1] ?? '';
      return file && relativeLink(from, file) + query + anchorIn(href);
    });
  };
}

function* listTargets(
  { pages, files, texts }: SpaceContent,
  root: string,
  paths: ExportPaths,
): Generator<ExportedTarget> {
  const targetOf = (id: LinkTargetId, before: LinkSource, file: string | undefined): ExportedTarget => ({
    id,
    before,
    after: file === undefined ? before : { ...before, git: posix.relative(root, file) },
    file,
  });
  for (const { id, type, path, git } of flattenPages(pages)) {
    if (type === 'link' || path === undefined) continue;
    const isFile = type === 'document' && git !== undefined;
    yield targetOf(`page:${id}`, isFile ? { path, git: git.path } : { path }, paths.pages.get(id));
  }
  for (const { id, git } of files) yield targetOf(`file:${id}`, git ? { git: git.path } : {}, paths.files.get(id)); // prettier-ignore
  for (const { id, role, git } of texts)
    if (role === 'include') yield targetOf(`reusable:${id}`, { git: git.path }, paths.texts.get(id));
}

/** Makes a table of the names of targets, as the index of links does. */
function tableOf(targets: Iterable<ExportedTarget>, when: 'before' | 'after'): Map<string, LinkTargetId> {
  const best = new Map<string, readonly [rank: number, id: LinkTargetId]>();
  for (const { id, [when]: source } of targets)
    for (const [name, rank] of namesOf(id, source)) {
      const other = best.get(name);
      if (other === undefined || rank < other[0] || (rank === other[0] && id < other[1]))
        best.set(name, [rank, id]);
    }
  return new Map([...best].map(([name, [, id]]) => [name, id]));
}
