import type { Static } from '../../../contract/schema.ts';
import { joinOr } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import { explainAccess, type AccessReason } from '../../../resources/access/contract.ts';
import { requiredArgument, type CommandHelp, type DefineCommand } from '../../composite-command.ts';
import { resolveName, resolveOrganization } from '../../names/names.ts';
import { escapeControlsByLine } from '../../output/escape-controls.ts';
import { wantsTable, type Session } from '../../session/session.ts';

const types = ['space', 'collection', 'site'] as const;
type ContentType = (typeof types)[number];

export const help: CommandHelp = {
  description: `
Each line shows a role and where it comes from. The line that begins with > decides, and overrides the lines below it.
Use --type if, for example, a space and a site have the same title.

A token can limit the role of its member further. Requires the admin role in the organization.
`,
  examples: [
    'docsctl access explain ben@example.com Guide',
    'docsctl access explain cara@example.com Docs -o json',
    'docsctl access explain cara@example.com Product --type collection',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .addArgument(requiredArgument('[member]', 'member, by email, name or ID'))
    .addArgument(requiredArgument('[content]', 'space, collection or site, by title or ID'))
    .option('--type <type>', `kind of the content: ${types.join(', ')} (default: any)`)
    .action(inSession(explain));
};

async function explain(
  session: Session,
  member: string | undefined,
  content: string | undefined,
  { type }: { type?: string },
): Promise<void> {
  if (member === undefined || content === undefined)
    throw new Problem('usage', 'A member and a space, collection or site are needed.', {
      hint: 'Give both: `docsctl access explain MEMBER SPACE`.',
    });
  const wanted = types.find((one) => one === type);
  if (type !== undefined && wanted === undefined)
    throw new Problem('invalid-input', `--type takes ${types.join(', ')}, not "${type}".`, {
      hint: 'Leave it out to find the content by its title.',
    });
  const organizationId = await resolveOrganization(session);
  const found = await findContent(session, organizationId, content, wanted);
  const userId = await resolveName(session, 'userId', member, { organizationId });
  const answer = await session.call(explainAccess, {
    params: { organizationId, userId },
    query: { [found.type]: found.id },
  });
  if (!wantsTable(session)) {
    await session.print(answer);
    return;
  }
  const role = answer.role === null ? 'no access to' : `the ${answer.role} role on`;
  const lines = [
    `${member} has ${role} the ${found.type} "${content}".${answer.disabled ? ' The member is disabled and can do nothing.' : ''}`,
    ...answer.reasons.map((reason, index) => `  ${index === 0 ? '>' : ' '} ${describe(reason)}`),
  ];
  await session.terminal.stdout.write(`${escapeControlsByLine(lines.join('\n'))}\n`);
}

function describe({ kind, role, content, team }: Static<typeof AccessReason>): string {
  const where = content === undefined ? '' : ` of the ${content.type} "${content.title}"`;
  const value = `${role ?? 'no access'}:`.padEnd(11);
  switch (kind) {
    case 'organization':
      return `${value}${role === null ? 'guest, without a role in the organization' : 'role in the organization'}`;
    case 'default':
      return `${value}default level${where}${role === null ? ', which does not apply to guests' : ''}`;
    case 'team':
      return `${value}permission of the team "${team?.title ?? ''}" on the ${content?.type ?? ''} "${content?.title ?? ''}"`;
    case 'user':
      return `${value}permission of the member on the ${content?.type ?? ''} "${content?.title ?? ''}"`;
  }
}

/** Finds the content with a title, of one type or of the only type that has it. */
async function findContent(
  session: Session,
  organizationId: string,
  name: string,
  wanted: ContentType | undefined,
): Promise<{ type: ContentType; id: string }> {
  const prefixes = { space: 'spc_', collection: 'col_', site: 'site_' };
  const byId = wanted ?? types.find((type) => name.startsWith(prefixes[type]));
  if (byId !== undefined)
    return { type: byId, id: await resolveName(session, `${byId}Id`, name, { organizationId }) };
  const found: { type: ContentType; id: string }[] = [];
  for (const type of types) {
    try {
      found.push({ type, id: await resolveName(session, `${type}Id`, name, { organizationId }) });
    } catch (error) {
      if (!(error instanceof Problem) || error.reason !== 'not-found') throw error;
    }
  }
  const [first, ...more] = found;
  if (first === undefined)
    throw new Problem('not-found', `There is no space, collection or site "${name}".`, {
      hint: 'To see them, run `docsctl spaces list`, `docsctl collections list` or `docsctl sites list`.',
    });
  if (more.length > 0)
    throw new Problem(
      'ambiguous',
      `"${name}" is the title of a ${found.map(({ type }) => type).join(' and a ')}.`,
      { hint: `Choose one: ${joinOr(found.map(({ type }) => `--type ${type}`))}.` },
    );
  return first;
}
