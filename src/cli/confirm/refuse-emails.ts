import { hasFormat } from '../../contract/check.ts';
import { Problem } from '../../errors/problem.ts';
import { shellWord } from '../../contract/shell-word.ts';

/** Refuses emails as titles of teams, because another command adds people. @throws Problem(usage) */
export function refuseEmails(titles: readonly string[]): void {
  const email = titles.find((title) => hasFormat(title, 'email'));
  if (email === undefined) return;
  const team = titles.find((title) => !hasFormat(title, 'email')) ?? 'TEAM';
  throw new Problem('usage', `"${email}" is an email address, not the title of a team.`, {
    hint: `To add members to a team, run \`docsctl teams members add ${shellWord(email)} --team ${shellWord(team)}\`.`,
  });
}
