import { nearest, strictShare } from '../../contract/nearest.ts';
import { anchorKey } from '../../richtext/anchor-key.ts';

/** The most anchors that are compared letter by letter, so that a page with thousands of headings costs little. */
const maxCompared = 300;

/**
 * Returns the anchor that a link to a missing anchor most likely means: one that differs only in a number before or after it, or else
 * the most similar one, in which at most a third of the letters differ. Undefined where none is similar.
 */
export function nearestAnchor(anchor: string, anchors: readonly string[] = []): string | undefined {
  const plain = lettersOf(anchor);
  return (
    anchors.find((each) => plain !== '' && lettersOf(each) === plain) ??
    anchors.find((each) => each.replace(/-\d{1,2}$/, '') === anchor) ??
    nearest(
      anchor,
      anchors
        .filter((each) => Math.abs(each.length - anchor.length) <= Math.min(each.length, anchor.length) / 2)
        .slice(0, maxCompared),
      strictShare,
    )[0]
  );
}

/** The suggestion that follows the sentence on a missing anchor; '' without one. */
export function suggestAnchor(anchor: string, anchors: readonly string[] | undefined): string {
  const close = nearestAnchor(anchor, anchors);
  return close === undefined ? '' : ` Did you mean #${close}?`;
}

/** The letters and digits of an anchor, without the number of a list before them and the `and` that GitBook writes for "&". */
function lettersOf(anchor: string): string {
  return anchorKey(anchor.replace(/^(?:id-)?\d{1,3}[.-]+/i, ''));
}
