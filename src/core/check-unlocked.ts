import { Problem } from '../errors/problem.ts';

/**
 * Checks that the content of a space is not locked.
 * @throws Problem(conflict)
 */
export function checkUnlocked({
  id,
  title,
  editMode,
}: {
  readonly id: string;
  readonly title: string;
  readonly editMode: string;
}): void {
  if (editMode !== 'locked') return;
  throw new Problem('conflict', `The space "${title}" is locked and cannot be edited.`, {
    hint: `Unlock it with \`docsctl spaces update ${id} --edit-mode live\`.`,
  });
}
