import type { BrokenLink, LinkState } from '../../../content/links/broken-links.ts';
import { suggestAnchor } from '../../../content/links/nearest-anchor.ts';
import { explainMissing } from '../../../content/links/nearest-target.ts';
import type { Entry } from '../../../content/rows.ts';
import { defined } from '../../../contract/values.ts';
import type { LinkedContent, SpaceState } from './link-impact.ts';
import { idOf } from './shape-link.ts';
import type { BrokenLinkBody } from './schemas.ts';

type States = ReadonlyMap<string, SpaceState>;
type Target = NonNullable<BrokenLinkBody['target']>;

const kinds = { page: 'page', file: 'file', reusable: 'reusable-content' } as const;

/** Returns a link that a change breaks in the form of the API. */
export async function shapeBrokenLink(
  states: States,
  { source, link, reason, target: targetId, isNew }: BrokenLink,
): Promise<BrokenLinkBody> {
  const [state, id] = find(states, source);
  const isNewSource = (await state.before.index.get('sources', id)) === undefined;
  const place = await describeEntry(state.after, id);
  const target = targetId === undefined ? undefined : await shapeTarget(states, targetId, link);
  const space = { id: state.space.id, title: state.space.title };
  return defined({
    space,
    source: defined({
      kind: id.startsWith('page:') ? 'page' : 'reusable-content',
      id: isNewSource ? undefined : idOf(id),
      ...place,
    }),
    line: link.line,
    href: link.href,
    new: isNew,
    reason,
    target,
    message:
      target === undefined
        ? await explainMissing(await state.after?.index.get('sources', id), link.href, state.after?.index)
        : await explain(states, { link, reason, target, targetId }),
  });
}

async function shapeTarget(states: States, target: string, { anchor }: LinkState): Promise<Target> {
  const [{ space, before, after }, id] = find(states, target);
  if (id === '') return { kind: 'space', space: space.id, title: space.title };
  const known = (await before.index.get('sources', id)) ?? (await before.entries.get(idOf(id)));
  return defined({
    kind: kinds[id.slice(0, id.indexOf(':')) as keyof typeof kinds],
    space: space.id,
    id: idOf(id),
    ...(await describeEntry(known === undefined ? after : before, id)),
    anchor,
  });
}

/** Returns one sentence that explains why a link breaks. */
async function explain(
  states: States,
  {
    link,
    reason,
    target,
    targetId = '',
  }: Pick<BrokenLinkBody, 'reason'> & {
    link: LinkState;
    target: Target;
    targetId: string | undefined;
  },
): Promise<string> {
  const name = nameOf(target);
  const [state, id] = find(states, targetId);
  switch (reason) {
    case 'anchor-removed':
      return `${name} no longer has the anchor #${link.anchor ?? ''}.${await suggestIn(state, id, link)}`;
    case 'anchor-missing':
      return `${name} has no anchor #${link.anchor ?? ''}.${await suggestIn(state, id, link)}`;
    case 'source-moved':
      return `The page with the link moves, so its relative address no longer leads to ${uncapitalize(name)}.`;
    case 'target-moved': {
      const isSite = link.name?.startsWith('site:') === true;
      if (isSite && !(await isMoved(state, id))) return `${name} is no longer published at this address.`;
      const { path, file } = await describeEntry(state.after, id);
      // An address of the application contains the path of the page, other links the path of the file.
      const isAddress = isSite || link.name?.startsWith(`${state.space.id}/`) === true;
      return `${name} moves to ${(isAddress ? path : file) ?? path ?? file ?? 'another address'}.`;
    }
    default:
      return state.after === undefined
        ? `The space "${state.space.title}" is deleted.`
        : `${name} is deleted.`;
  }
}

async function suggestIn({ after }: SpaceState, id: string, { anchor = '' }: LinkState): Promise<string> {
  return suggestAnchor(anchor, (await after?.index.get('sources', id))?.anchors);
}

async function isMoved({ before, after }: SpaceState, id: string): Promise<boolean> {
  const [old, now] = [await before.index.get('sources', id), await after?.index.get('sources', id)];
  return old?.path !== now?.path;
}

function nameOf({ kind, title, file }: Target): string {
  if (kind === 'file') return `The file ${file ?? title}`;
  return `The ${kind === 'reusable-content' ? 'reusable content' : kind} "${title}"`;
}

function uncapitalize(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Returns the title, path and file of a target. */
async function describeEntry(
  content: LinkedContent | undefined,
  id: string,
): Promise<{ title: string; path?: string; file?: string }> {
  const entry = await content?.entries.get(idOf(id));
  const { path, git, title } = (await content?.index.get('sources', id)) ?? {};
  return defined({ title: title ?? titleOf(entry), path, file: git ?? entry?.git?.path });
}

function titleOf(entry: Entry | undefined): string {
  if (entry === undefined) return '';
  return entry.kind === 'file' ? entry.name : entry.title;
}

/** Splits the id of a source or target into its space and its id in the space. */
function find(states: States, target: string): [state: SpaceState, id: string] {
  const slash = target.indexOf('/');
  const state = states.get(target.slice(0, slash));
  if (state === undefined) throw new Error(`The space of ${target} was not opened.`);
  return [state, target.slice(slash + 1)];
}
