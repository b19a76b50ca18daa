import { plural } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import { readRedirects } from '../../../manifest/kinds/redirects.ts';
import { getOrganization } from '../../../resources/organizations/contract.ts';
import { getSite } from '../../../resources/sites/contract.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import type { Session } from '../../session/session.ts';
import { checkRedirects, type RedirectFinding } from './check-redirects.ts';
import { openSite } from './redirect-targets.ts';
import { addSiteArgument, resolveSite } from './structure.ts';

const columns = ['problem', 'source', 'detail', 'draft', 'id'];

export const help: CommandHelp = {
  columns,
  description: `
Checks the redirects of a site, drafts included, and lists those with a problem:

  loop    the redirect leads back to its own source, through others
  chain   the redirect leads to another redirect; change it to lead to the final destination
  gone    the section, space or page that it leads to no longer exists
  unused  the site has a page at the source, so visitors are never redirected

The command does not open URLs of other sites, and changes nothing. Exits with 9 if it lists a redirect. Requires the
read role.
`,
  examples: ['docsctl sites redirects check Docs', 'docsctl sites redirects check Docs -o json'],
  exitCodes: { 9: 'A redirect is listed.' },
};

export const define: DefineCommand = (command, inSession) => {
  addSiteArgument(command).action(inSession(check));
};

async function check(
  session: Session,
  given: string | undefined,
  { site }: { site?: string },
): Promise<void> {
  const params = await resolveSite(session, given ?? site);
  const { findings, redirects } = await findRedirectProblems(session, params);
  await session.printAll(findings, { noun: 'problems', columns });
  if (findings.length === 0) return session.note(`Checked ${plural(redirects, 'redirect')}: all are fine.`);
  throw new Problem(
    'guard-refused',
    `${findings.length} of ${plural(redirects, 'redirect')} should be corrected.`,
    {
      hint: 'Change one with `docsctl sites redirects update`, or delete it with `docsctl sites redirects delete`.',
    },
  );
}

/** Finds the redirects of a site that have problems, and counts all redirects. */
export async function findRedirectProblems(
  session: Session,
  params: { organizationId: string; siteId: string },
): Promise<{ findings: readonly RedirectFinding[]; redirects: number }> {
  const { organizationId, siteId } = params;
  const site = await session.call(getSite, { params });
  const organization = await session.call(getOrganization, { params: { organizationId } });
  const { backend, structure, pages } = await openSite(session, params);
  const redirects = await readRedirects(backend, { kind: 'site', id: siteId });
  const findings = await checkRedirects({
    redirects,
    structure,
    pages,
    addresses: [
      site.urls.published,
      // The addresses below the server, published or not.
      ...[site.basename, siteId].map((name) =>
        name === undefined
          ? undefined
          : new URL(`/sites/${organization.hostname}/${name}/`, site.urls.published ?? site.urls.location)
              .href,
      ),
      ...[site.hostname, site.proxy?.origin].map((host) =>
        host === undefined ? undefined : `https://${host}/`,
      ),
    ].flatMap((address) => address ?? []),
  });
  return { findings, redirects: redirects.length };
}
