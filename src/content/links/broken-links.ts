export interface LinkState {
  readonly href: string;
  /** The line in the file. */
  readonly line: number;
  /** The name that its address leads to, independent of the place of its page. Absent if the link is not checked. */
  readonly name?: string;
  /** Its target: null if there is none, absent if the link is not checked. */
  readonly to?: string | null;
  readonly anchor?: string;
  /** Its target exists, but not its anchor. */
  readonly missingAnchor?: true;
}

/** The links of a page or reusable content, before and after a change; undefined if it does not exist. */
export interface LinkingSource {
  readonly id: string;
  readonly before: readonly LinkState[] | undefined;
  readonly after: readonly LinkState[] | undefined;
}

/**
 * Why a link breaks: its target is deleted, has another path, or has lost the anchor; the page of the link moved away from its
 * relative target; or the link is new and was never valid.
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
  /** The previous target, or the page without the anchor; absent if there never was a target. */
  readonly target?: string;
  /** The change adds the link, and it is broken. */
  readonly isNew?: true;
}

/** The deleted targets: a set, or another object with `has`. */
interface DeletedTargets {
  has(target: string): boolean;
}

/** Whether a link leads nowhere, or to a missing anchor. */
export function isBroken({ to, missingAnchor }: LinkState): boolean {
  return to === null || missingAnchor === true;
}

/**
 * Finds the links that a change breaks, followed by new broken links, in the order of the sources and their links. A link counts
 * as broken before if the source had a broken link with the same address.
 */
export function findBrokenLinks(sources: Iterable<LinkingSource>, deleted: DeletedTargets): BrokenLink[] {
  const found: BrokenLink[] = [];
  const added: BrokenLink[] = [];
  for (const { id, before = [], after = [] } of sources) {
    const broken = after.filter(isBroken);
    if (broken.length === 0) continue;
    const known = new Map<string, LinkState>();
    // A broken link takes precedence over a good one with the same address.
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

/** Returns why a link that was good before, or is new, is broken. */
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
