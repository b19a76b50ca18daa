export interface LinkState {
  readonly href: string;
  /** Line of the file. */
  readonly line: number;
  /** What its address names, wherever its page is. Absent where the link is not checked. */
  readonly name?: string;
  /** What it leads to: null for nothing, absent where it is not checked. */
  readonly to?: string | null;
  readonly anchor?: string;
  /** Its target is there, but not its anchor. */
  readonly missingAnchor?: true;
}

/** A page or reusable content with its links, before and after a change; undefined where it is not there. */
export interface LinkingSource {
  readonly id: string;
  readonly before: readonly LinkState[] | undefined;
  readonly after: readonly LinkState[] | undefined;
}

/**
 * Why a link breaks: its target is deleted, has another path, or lost the anchor; the page of the link moved away from its
 * relative target; or the link is new and was never right.
 */
type BreakReason =
  | 'target-deleted'
  | 'target-moved'
  | 'anchor-removed'
  | 'source-moved'
  | 'target-missing'
  | 'anchor-missing';

export interface BrokenLink {
  readonly source: string;
  readonly link: LinkState;
  readonly reason: BreakReason;
  /** What it led to before, or the page without its anchor; absent where it never led anywhere. */
  readonly target?: string;
  /** The change adds the link, so it never worked. */
  readonly isNew?: true;
}

/** The targets that are not there any more: a set of them, or anything that knows. */
interface DeletedTargets {
  has(target: string): boolean;
}

/** Whether a link leads nowhere, or to a page without its anchor. */
export function isBroken({ to, missingAnchor }: LinkState): boolean {
  return to === null || missingAnchor === true;
}

/**
 * Finds the links that a change breaks, and after them the new ones that lead nowhere, in the order of the sources and their
 * links. A link of a source counts as broken before if one with the same address was.
 */
export function findBrokenLinks(sources: Iterable<LinkingSource>, deleted: DeletedTargets): BrokenLink[] {
  const found: BrokenLink[] = [];
  const added: BrokenLink[] = [];
  for (const { id, before = [], after = [] } of sources) {
    const broken = after.filter(isBroken);
    if (broken.length === 0) continue;
    const known = new Map<string, LinkState>();
    // A broken link hides a good one with the same address.
    for (const link of before) if (!known.has(link.href) || isBroken(link)) known.set(link.href, link);
    for (const link of broken) {
      const old = known.get(link.href);
      const one = { source: id, link, ...explain(link, old, deleted) };
      if (old === undefined) added.push({ ...one, isNew: true });
      else if (!isBroken(old)) found.push(one);
    }
  }
  return [...found, ...added];
}

/** Says why a link is broken that was good before, or is new. */
function explain(
  link: LinkState,
  old: LinkState | undefined,
  deleted: DeletedTargets,
): Pick<BrokenLink, 'reason' | 'target'> {
  const isSame = old !== undefined && old.name === link.name;
  if (typeof link.to === 'string')
    return { reason: isSame ? 'anchor-removed' : 'anchor-missing', target: link.to };
  if (typeof old?.to !== 'string') return { reason: 'target-missing' };
  if (deleted.has(old.to)) return { reason: 'target-deleted', target: old.to };
  return { reason: isSame ? 'target-moved' : 'source-moved', target: old.to };
}
