import { auditDaysRange } from '../../../contract/audit-days.ts';
import type { Static } from '../../../contract/schema.ts';
import { eachItem, listAll } from '../../../contract/each-page.ts';
import { plural } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import { getAuditRetention } from '../../../resources/audit/contract.ts';
import { listMembers, listMemberSpaces, type Member } from '../../../resources/members/contract.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { resolveOrganization } from '../../names/names.ts';
import { wantsTable, type Session } from '../../session/session.ts';
import { readSince } from '../../input/since.ts';

const fields = [
  'name',
  'email',
  'role',
  'spaces',
  'teams',
  'exceptions',
  'lastSeenAt',
  'lastActiveAt',
  'sso',
  'disabled',
  'findings',
  'id',
];

export const help: CommandHelp = {
  columns: fields,
  description: `
Lists every member with their role in the organization, the number of spaces that they can open, the spaces where
they have another role (\`exceptions\`; for a guest, all spaces that they can open), when they were last active, and whether they are marked for single sign-on (\`docsctl members sso\`). With --fail-on, the column \`findings\` names the conditions that a member meets:

  guest       the member has no role in the organization
  disabled    the member is disabled
  no-sso      the member is not marked for single sign-on
  unseen:90d  the member was not active in the last 90 days, and joined before that

A member counts as active when they change something, when they sign in with single sign-on or \`docsctl open\`, and
when \`docsctl orgs ping\` runs with their token. Reading does not count: a member who only reads is unseen, unless a
program runs \`docsctl orgs ping\` for them. docsctl knows about a change or sign-in only as long as it keeps the audit event: 365 days, unless
\`docsctl audit keep\` sets another number.

The command changes nothing, so you can run it in a scheduled job. It requires the admin role in the organization. It
sends one request per 1000 members and, for each member, one request per 1000 spaces, so large organizations take a
while.
`,
  examples: [
    'docsctl access report',
    'docsctl access report -o csv',
    'docsctl access report --fail-on unseen:90d,disabled',
  ],
  exitCodes: { 9: 'A member meets a condition of --fail-on.' },
};

export const define: DefineCommand = (command, inSession) => {
  command
    .option(
      '--fail-on <conditions>',
      'exit with 9 if a member meets one of these: guest, disabled, no-sso, unseen:PERIOD (such as unseen:90d or unseen:2025-01-31)',
    )
    .action(inSession(report));
};

type Listed = Static<typeof Member>;
interface Condition {
  readonly name: string;
  readonly holds: (member: Listed) => boolean;
  /** The number of days in which activity counts. */
  readonly days?: number;
}

async function report(session: Session, { failOn }: { failOn?: string }): Promise<void> {
  const conditions = failOn === undefined ? [] : readConditions(failOn, session.runtime.clock());
  const organizationId = await resolveOrganization(session);
  const rows = [];
  const members = eachItem(session, listMembers, {
    params: { organizationId },
    query: { sort: 'name', order: 'asc', activity: true },
  });
  for await (const member of members)
    rows.push({
      name: member.user.displayName,
      email: member.user.email ?? null,
      // Tables show `guest`, the word that commands take. In JSON, the role is null, as in the API.
      role: member.role ?? (wantsTable(session) ? 'guest' : null),
      spaces: member.spaces,
      teams: member.teams,
      exceptions: await readExceptions(session, organizationId, member),
      lastSeenAt: member.lastSeenAt ?? null,
      lastActiveAt: member.lastActiveAt ?? null,
      sso: member.sso,
      disabled: member.disabled,
      findings: conditions.filter(({ holds }) => holds(member)).map(({ name }) => name),
      id: member.id,
    });
  await session.printAll(rows, {
    noun: 'members',
    columns: [
      'name',
      'email',
      'role',
      'spaces',
      'exceptions',
      'lastActiveAt',
      'sso',
      ...(conditions.length > 0 ? ['findings'] : []),
    ],
  });
  for (const { name, days } of conditions)
    if (days !== undefined && rows.some(({ findings }) => findings.includes(name)))
      await warnOfRetention(session, organizationId, { name, days });
  const found = rows.filter(({ findings }) => findings.length > 0);
  if (found.length > 0)
    throw new Problem(
      'guard-refused',
      `${found.length} of ${plural(rows.length, 'member')} ${found.length === 1 ? 'needs' : 'need'} a review.`,
      {
        hint: 'The column findings says why. To see what one of them can do, run `docsctl members spaces MEMBER`.',
      },
    );
}

/** Lists the spaces where the role of a member differs from that in the organization, such as "Guide: edit". */
async function readExceptions(
  session: Session,
  organizationId: string,
  { id, role, spaces }: Listed,
): Promise<string[]> {
  if (spaces === 0 || role === 'admin') return [];
  const found = await listAll(session, listMemberSpaces, { params: { organizationId, userId: id } });
  return found
    .filter(({ permission }) => permission !== role)
    .map(({ permission, space }) => `${space.title}: ${permission}`)
    .sort();
}

const day = 24 * 60 * 60 * 1000;

/** Reads --fail-on. @throws Problem(invalid-input) for an unknown condition */
function readConditions(text: string, now: number): Condition[] {
  return text.split(',').map((part) => {
    const name = part.trim();
    if (name === 'guest') return { name, holds: ({ role }) => role === null };
    if (name === 'disabled') return { name, holds: ({ disabled }) => disabled };
    if (name === 'no-sso') return { name, holds: ({ sso }) => !sso };
    const period = /^unseen:(.+)$/.exec(name)?.[1];
    if (period === undefined)
      throw new Problem('invalid-input', `--fail-on has no condition "${name}".`, {
        hint: 'The conditions are guest, disabled, no-sso and unseen:PERIOD, such as unseen:90d.',
      });
    const since = readSince(period, now, '--fail-on unseen:');
    if (Date.parse(since) > now)
      throw new Problem('invalid-input', `--fail-on ${name} names a time in the future.`, {
        hint: 'Every member would meet the condition. Give a time in the past.',
      });
    const days = Math.ceil((now - Date.parse(since)) / day);
    return { name, days, holds: ({ lastActiveAt, joinedAt }) => (lastActiveAt ?? joinedAt) < since };
  });
}

/** Warns if audit events are kept for a shorter time than a condition needs. */
async function warnOfRetention(
  session: Session,
  organizationId: string,
  { name, days }: { name: string; days: number },
): Promise<void> {
  const kept = (await session.call(getAuditRetention, { params: { organizationId } })).days;
  if (kept >= days) return;
  session.note(
    `warning: Audit events are kept for ${plural(kept, 'day')}, so ${name} does not consider changes and sign-ins before that. To keep events longer, run \`docsctl audit keep ${Math.min(days, auditDaysRange.maximum)}\`.`,
  );
}
