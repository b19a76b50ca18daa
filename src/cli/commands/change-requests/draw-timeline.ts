import { plural } from '../../../contract/values.ts';
import { escapeControls } from '../../output/escape-controls.ts';
import type { Theme } from '../../output/style.ts';
import { truncate } from '../../output/width.ts';

/** An event in the history of a change request. */
export interface TimelineEvent {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly who: string | undefined;
  /** The action, as the rest of a sentence after the name: "approved it". */
  readonly what: string;
  readonly tone?: 'good' | 'bad';
  readonly kind: 'created' | 'edited' | 'commented' | 'reviewed' | 'requested' | 'merged';
}

/** Draws events as one line each, oldest first, grouped by day. */
export function drawTimeline(
  events: readonly TimelineEvent[],
  columns: number,
  theme: Pick<Theme, 'title' | 'faint' | 'error' | 'hint'>,
): string {
  const lines = mergeEdits(
    [...events].sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0)),
  );
  let day = '';
  return lines
    .map(({ at, who, what, tone }, index) => {
      const heading = at.slice(0, 10) === day ? '' : `${theme.title(at.slice(0, 10))}\n`;
      day = at.slice(0, 10);
      const isLast = lines[index + 1]?.at.slice(0, 10) !== day;
      const branch = isLast ? ' └─ ' : ' ├─ ';
      const text = escapeControls(`${who ?? 'someone'} ${what}`.replace(/\s+/g, ' '));
      const cut = truncate(text, Math.max(20, columns - 12));
      const toned = tone === 'good' ? theme.hint(cut) : tone === 'bad' ? theme.error(cut) : cut;
      return `${heading}${theme.faint(branch)}${theme.faint(`${at.slice(11, 16)}Z`)}  ${toned}\n`;
    })
    .join('');
}

/** Merges consecutive edits by the same person on one day into one event. */
function mergeEdits(events: readonly TimelineEvent[]): TimelineEvent[] {
  const merged: (TimelineEvent & { count: number })[] = [];
  for (const event of events) {
    const last = merged.at(-1);
    const isSame =
      last?.kind === 'edited' &&
      event.kind === 'edited' &&
      last.who === event.who &&
      last.at.slice(0, 10) === event.at.slice(0, 10);
    if (isSame) merged.pop();
    merged.push({ ...event, count: isSame ? last.count + 1 : 1 });
  }
  return merged.map(({ count, ...event }) =>
    count === 1 ? event : { ...event, what: `edited the content ${plural(count, 'time')}` },
  );
}
