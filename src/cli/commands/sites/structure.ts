import { Option, type Command } from 'commander';
import { getSiteStructure } from '../../../resources/sites/contract.ts';
import { severalNotes } from '../../input/positionals.ts';
import { requireParam } from '../../names/choose-missing.ts';
import { requiredArgument, type CommandHelp, type DefineCommand } from '../../composite-command.ts';
import { resolveOrganization } from '../../names/names.ts';
import { createTheme } from '../../output/style.ts';
import { drawTree, type TreeNode } from '../../output/tree.ts';
import type { Session } from '../../session/session.ts';

/** A section, group, external link or space of a site structure. */
export interface StructureItem {
  readonly object: 'site-section-group' | 'site-section' | 'site-space' | 'site-external-link';
  readonly id: string;
  readonly title: string;
  readonly path?: string;
  /** The address of an external link. */
  readonly url?: string;
  readonly draft?: boolean;
  readonly default?: boolean;
  readonly hidden?: boolean;
  readonly condition?: string;
  readonly children?: readonly StructureItem[];
  readonly siteSpaces?: readonly StructureItem[];
  readonly space?: { readonly id: string };
}

export const help: CommandHelp = {
  description:
    'Draws the sections, groups, external links and spaces of a site in their order, with the path and the ID of each, and the condition that visitors must meet to see it. With -o json, prints the response of the API.',
  examples: ['docsctl sites structure Docs', 'docsctl sites structure Docs -o json'],
  operation: getSiteStructure,
};

const siteText = 'title, basename or ID of the site';

/** Adds the argument `site`, which may take several words, and the option that can replace it. */
export function addSiteArgument(command: Command, isSeveral = false): Command {
  const argument = isSeveral
    ? requiredArgument('[site...]', `${siteText}${severalNotes.resources}`)
    : requiredArgument('[site]', siteText);
  return command.addArgument(argument).addOption(new Option('--site <site>', siteText).hideHelp());
}

export const define: DefineCommand = (command, inSession) => {
  addSiteArgument(command).action(
    inSession(async (session, given: string | undefined, options: { site?: string }) => {
      const site = given ?? options.site;
      const params = await resolveSite(session, site);
      const body = await session.call(getSiteStructure, { params });
      if (session.format !== 'table') return session.print(body);
      const items = body.structure as readonly StructureItem[];
      await session.paged.write(await drawStructure(session, site ?? params.siteId, items));
    }),
  );
};

/** Draws the structure of a site as a tree. */
export async function drawStructure(
  session: Session,
  label: string,
  items: readonly StructureItem[],
): Promise<string> {
  const { isInteractive, terminal } = session;
  const columns = isInteractive ? terminal.columns : undefined;
  return drawTree({ label, children: items.map(nodeOf) }, await createTheme(session.isColored), columns);
}

/**
 * Finds the site in the command or the settings. If there is none, the user at the terminal is asked to choose.
 * @throws Problem(usage) if there is no site and no terminal
 */
export async function resolveSite(
  session: Session,
  given: string | undefined,
): Promise<{ organizationId: string; siteId: string }> {
  const organizationId = await resolveOrganization(session);
  const siteId = await requireParam(session, ['siteId', given ?? session.settings.site?.value], {
    params: { organizationId },
    hint: 'Give its title or ID as an argument or with --site. `docsctl sites list` shows all sites.',
  });
  return { organizationId, siteId };
}

/** Returns the line of an item in a tree, with the lines of its children. */
export function nodeOf(item: StructureItem): TreeNode {
  const { id, title, path, url, condition, children = [], siteSpaces = [] } = item;
  const notes = [
    ...(path === undefined ? [] : [`/${path}`]),
    ...(url === undefined ? [] : [url]),
    ...(item.draft === true ? ['draft'] : []),
    ...(item.default === true ? ['default'] : []),
    ...(item.hidden === true ? ['hidden'] : []),
    ...(condition === undefined ? [] : [`if ${condition}`]),
    id,
  ];
  return { label: title, note: notes.join(' · '), children: [...children, ...siteSpaces].map(nodeOf) };
}
