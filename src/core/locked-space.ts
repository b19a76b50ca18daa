import { Problem } from '../errors/problem.ts';

/** Returns the error for an edit of a space whose content is locked. */
export function lockedSpace({ id, title }: { readonly id: string; readonly title: string }): Problem {
  return new Problem('conflict', `The space "${title}" is locked and cannot be edited.`, {
    hint: `Unlock it with \`docsctl spaces update ${id} --edit-mode live\`.`,
  });
}
