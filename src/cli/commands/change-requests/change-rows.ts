import type { SemanticChangeBody } from '../../../resources/content/changes/schemas.ts';

/** Returns the row of a changed page, file, reusable content or set of variables. */
export function changeRow(change: SemanticChangeBody): object {
  if ('variables' in change) return { ...change, details: Object.keys(change.variables).join(', ') };
  const details = detailsOf(change);
  if ('page' in change) return { ...change, path: change.page.path, title: change.page.title, details };
  if ('file' in change) return { ...change, path: undefined, title: change.file.name, details };
  return { ...change, title: change.reusableContent.title, details };
}

/** Returns the old and new parent of a moved page, or the names of the changed properties. */
function detailsOf(change: SemanticChangeBody): string | undefined {
  if (change.type === 'page_moved') {
    const { before, after } = change.parent;
    if (before?.id === after?.id)
      return `reordered ${after === undefined ? 'at the top' : `in ${after.title}`}`;
    return `${before?.title ?? 'top'} → ${after?.title ?? 'top'}`;
  }
  return 'attributes' in change
    ? Object.keys(change.attributes).join(', ').replace('document', 'text')
    : undefined;
}
