import type { Operation } from '../../contract/operation.ts';
import { isRecord } from '../../contract/values.ts';
import { propertiesIn } from '../input/field-schema.ts';
import type { Session } from '../session/session.ts';

/** Notes the title of a new resource that was created without one, or as a copy. */
export function noteTitle(
  session: Session,
  { id, body: schema }: Operation,
  sent: unknown,
  created: unknown,
): void {
  const [noun = '', verb] = id.split('.');
  if (id === 'spaces.duplicate' && isRecord(created) && !(isRecord(sent) && sent['title'] !== undefined))
    return session.note(
      `The copy has the same title. To change it, run \`docsctl spaces update ${String(created['id'])} --title TITLE\`.`,
    );
  const hasTitle = propertiesIn(schema).some(([name]) => name === 'title');
  if (verb !== 'create' || !hasTitle || !isRecord(created) || typeof created['title'] !== 'string') return;
  if (isRecord(sent) && sent['title'] !== undefined) return;
  if (!created['title'].startsWith('Untitled')) return;
  session.note(
    `The title is "${created['title']}", because none was given. To change it, run \`docsctl ${noun} update ${String(created['id'])} --title TITLE\`.`,
  );
}
