import type { SpaceRow } from '../../core/rows/spaces.ts';
import { invalid } from '../../errors/problem.ts';

type NewSpace = Pick<SpaceRow, 'id' | 'organization' | 'parent' | 'position' | 'revision'> &
  Partial<SpaceRow>;

/** A new space: what is given, and what a space starts with. */
export function newSpaceRow(now: string, given: NewSpace): SpaceRow {
  return {
    title: 'Untitled',
    emoji: '',
    visibility: 'private',
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
    state: 'live',
    editMode: 'live',
    mergeRules: { type: 'inherit' },
    defaultLevel: null,
    comments: 0,
    changeRequests: 0,
    changeRequestsOpen: 0,
    changeRequestsDraft: 0,
    ...given,
  };
}

/** A space has an emoji or an icon: giving one takes the other away, null takes it away, absent leaves it. */
export function chooseEmojiOrIcon(
  emoji: string | null | undefined,
  icon: string | null | undefined,
): { emoji?: string; icon?: string | undefined } {
  if (typeof emoji === 'string' && typeof icon === 'string')
    throw invalid('/body/icon', 'A space has an emoji or an icon, not both.', 'Leave one of the two out.');
  if (typeof emoji === 'string') return { emoji, icon: undefined };
  if (typeof icon === 'string') return { emoji: '', icon };
  return { ...(emoji === null ? { emoji: '' } : {}), ...(icon === null ? { icon: undefined } : {}) };
}
