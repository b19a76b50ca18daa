import { nearest, strictShare } from '../../contract/nearest.ts';
import { anchorKey } from '../../richtext/anchor-key.ts';

/** Maximum number of anchors that are compared letter by letter, to limit the time for pages with thousands of headings. */
const maxCompared = 300;

/**
 * Returns the anchor that a link to a missing anchor most likely means: one that differs only in a number before or after it, or
 * else the most similar one, if at most a third of its letters differ. Undefined if none is similar.
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

/** Returns the suggestion to append to the message about a missing anchor; '' if there is none. */
export function suggestAnchor(anchor: string, anchors: readonly string[] | undefined): string {
  const close = nearestAnchor(anchor, anchors);
  return close === undefined ? '' : ` Did you mean #${close}?`;
}

/**
 * Returns the letters and digits of an anchor, without a leading list number, and without the `and` that GitBook writes for "&".
 */
function lettersOf(anchor: string): string {
  return anchorKey(anchor.replace(/^(?:id-)?\d{1,3}[.-]+/i, ''));
}
