import { Option, type Argument } from 'commander';
import { getSiteStructure } from '../../../resources/sites/contract.ts';
import { requireArgument, type DefineCommand } from '../../composite-command.ts';
import { resolveName, resolveOrganization } from '../../names.ts';
import { requiredArgument } from '../../required.ts';
import { createTheme } from '../../output/style.ts';
import { drawTree, type TreeNode } from '../../output/tree.ts';
import type { Session } from '../../session.ts';
import type { CommandHelp } from '../../command-help.ts';

/** A section, group or space of a site structure. */
export interface StructureItem {
  readonly object: 'site-section-group' | 'site-section' | 'site-space';
  readonly id: string;
  readonly title: string;
  readonly path?: string;
  readonly default?: boolean;
  readonly hidden?: boolean;
  readonly condition?: string;
  readonly children?: readonly StructureItem[];
  readonly siteSpaces?: readonly StructureItem[];
  readonly space?: { readonly id: string };
}

export const help: CommandHelp = {
  description:
    'Draws the sections, groups and spaces of a site in their order, with the path, the condition and the ID of each. With -o json the answer of the API is printed.',
  examples: ['docsctl sites structure Docs', 'docsctl sites structure Docs -o json'],
  operation: getSiteStructure,
};

const siteText = 'title, basename or ID of the site';

/** The argument `site` of a command. */
export function siteArgument(): Argument {
  return requiredArgument('[site]', siteText);
}

/** The option that stands for the argument `site`. */
export function siteOption(): Option {
  return new Option('--site <site>', siteText).hideHelp();
}

export const define: DefineCommand = (command, inSession) => {
  command
    .addArgument(siteArgument())
    .addOption(siteOption())
    .action(
      inSession(async (session, given: string | undefined, options: { readonly site?: string }) => {
        const label = requireSite(session, given ?? options.site);
        const params = await resolveSite(session, label);
        const body = await session.call(getSiteStructure, { params });
        if (session.format !== 'table') return session.print(body);
        const { terminal } = session;
        const items = body.structure as readonly StructureItem[];
        const root = { label, children: items.map(nodeOf) };
        await session.paged.write(drawTree(root, await createTheme(terminal.color && terminal.stdoutIsTTY)));
      }),
    );
};

/** The site that a command names. @throws Problem(usage) if there is none */
export function requireSite(session: Session, given: string | undefined): string {
  const hint = 'Give its title or ID as an argument or with --site. `docsctl sites list` shows all sites.';
  return requireArgument(given ?? session.settings.site?.value, 'The site is missing.', hint);
}

export async function resolveSite(
  session: Session,
  site: string,
): Promise<{ readonly organizationId: string; readonly siteId: string }> {
  const organizationId = await resolveOrganization(session);
  return { organizationId, siteId: await resolveName(session, 'siteId', site, { organizationId }) };
}

/** The line of an item in a tree, with those of the items in it. */
export function nodeOf(item: StructureItem): TreeNode {
  const { id, title, path, condition, children = [], siteSpaces = [] } = item;
  const notes = [
    ...(path === undefined ? [] : [`/${path}`]),
    ...(item.default === true ? ['default'] : []),
    ...(item.hidden === true ? ['hidden'] : []),
    ...(condition === undefined ? [] : [`if ${condition}`]),
    id,
  ];
  return { label: title, note: notes.join(' · '), children: [...children, ...siteSpaces].map(nodeOf) };
}
