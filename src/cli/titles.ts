import { hasFormat } from '../contract/check.ts';
import type { Operation } from '../contract/operation.ts';
import { isRecord } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { propertiesIn } from './field-schema.ts';
import type { Session } from './session.ts';
import { shellWord } from './suggestions.ts';

/** Refuses emails as titles of teams: people are added by another command. @throws Problem(usage) */
export function refuseEmails(titles: readonly string[]): void {
  const email = titles.find((title) => hasFormat(title, 'email'));
  if (email === undefined) return;
  const team = titles.find((title) => !hasFormat(title, 'email')) ?? 'TEAM';
  throw new Problem('usage', `"${email}" is an email address, not the title of a team.`, {
    hint: `To add members to a team, run \`docsctl teams members add ${email} --team ${shellWord(team)}\`.`,
  });
}

/** Says which title a new resource got that was created without one. */
export function noteTitle(
  session: Session,
  { id, body: schema }: Operation,
  sent: unknown,
  created: unknown,
): void {
  const [noun = '', verb] = id.split('.');
  const hasTitle = propertiesIn(schema).some(([name]) => name === 'title');
  if (verb !== 'create' || !hasTitle || !isRecord(created) || typeof created['title'] !== 'string') return;
  if (isRecord(sent) && sent['title'] !== undefined) return;
  if (!created['title'].startsWith('Untitled')) return;
  session.note(
    `The title is "${created['title']}", because none was given. To change it, run \`docsctl ${noun} update ${String(created['id'])} --title TITLE\`.`,
  );
}
