import { sparkline as countWeeks, sparklineWeeks, weekOf } from '../../../analysis/sparkline.ts';
import { eachItem } from '../../../contract/each-page.ts';
import type { OutputOf } from '../../../contract/operation.ts';
import { plural } from '../../../contract/values.ts';
import { isProblem } from '../../../errors/problem.ts';
import { listRevisions } from '../../../resources/content/revision/contract.ts';
import type { getSpace } from '../../../resources/spaces/contract.ts';
import { namesById } from '../../names/names.ts';
import { sparkline } from '../../output/cell.ts';
import { drawFields } from '../../output/draw-fields.ts';
import { fieldsOf } from '../../output/record-fields.ts';
import type { Session } from '../../session/session.ts';

type Space = OutputOf<typeof getSpace>;

/** Draws the fields of a space, the title of its collection, and how often it was edited in the last weeks. */
export async function drawSpace(session: Session, space: Space): Promise<string> {
  const { terminal } = session;
  const { parent } = space;
  const titles = parent == null ? undefined : await namesById(session, 'parent', {}, 'spaces.list');
  const title = titles?.get(parent ?? '');
  const shown = title === undefined ? space : { ...space, parent: `${title} (${parent})` };
  const fields = fieldsOf(shown, { terminal, defaultColumns: [], headers: true });
  const activity = await describeActivity(session, space.id);
  return drawFields(terminal, activity === undefined ? fields : [...fields, ['activity', activity]]);
}

/** Draws the number of revisions per week; undefined if the caller cannot read the history. */
async function describeActivity(session: Session, spaceId: string): Promise<string | undefined> {
  const now = session.runtime.clock();
  const first = weekOf(now) - sparklineWeeks + 1;
  const counts = new Map<number, number>();
  try {
    for await (const { createdAt } of eachItem(session, listRevisions, { params: { spaceId } })) {
      const week = weekOf(createdAt);
      if (week < first) break;
      counts.set(week, (counts.get(week) ?? 0) + 1);
    }
  } catch (error) {
    if (isProblem(error, 'forbidden', 'not-found', 'not-implemented')) return undefined;
    throw error;
  }
  const weeks = countWeeks(counts, now);
  const total = weeks.reduce((sum, count) => sum + count, 0);
  return total === 0
    ? `no edits in ${sparklineWeeks} weeks`
    : `${sparkline(weeks)} ${plural(total, 'edit')} in ${sparklineWeeks} weeks`;
}
