import type { Operation } from '../../contract/operation.ts';
import { joinAnd, listSome } from '../../contract/values.ts';
import { nounOf } from '../../resources/index.ts';
import { describeRemoval } from '../confirm/confirm.ts';

/** The names in a command line: values of path parameters and of fields of the body, as the user gave them. */
export type GivenNames = Readonly<Record<string, unknown>>;

const permissionTexts = (words: string, place: string): Record<string, readonly string[]> => ({
  [`${words}.permissions.set`]: [
    `Gave {users} and {teams} the role {role} on ${place}.`,
    `Gave {users} the role {role} on ${place}.`,
    `Gave {teams} the role {role} on ${place}.`,
  ],
  [`${words}.permissions.update-user`]: [`Gave {userId} the role {role} on ${place}.`],
  [`${words}.permissions.remove-user`]: [`Removed the role of {userId} on ${place}.`],
  [`${words}.permissions.update-team`]: [`Gave {teamId} the role {role} on ${place}.`],
  [`${words}.permissions.remove-team`]: [`Removed the role of {teamId} on ${place}.`],
});

/**
 * Texts for operations without an answer. The first text whose names were all given is used. For other operations that delete or
 * remove, the text is made from their noun.
 */
const texts: Readonly<Record<string, readonly string[]>> = {
  ...permissionTexts('collections', 'collection {collectionId}'),
  ...permissionTexts('sites', 'site {siteId}'),
  ...permissionTexts('spaces', 'space {spaceId}'),
  'custom-hostnames.revalidate': ['Queued a check of the DNS records of {hostname}.'],
  'email-domains.revalidate': ['Queued a check of the record of {emailDomain}.'],
  'integrations.disable-dev': ['Events of {integrationName} are no longer sent to a tunnel.'],
  'integrations.enable-dev': ['Events of {integrationName} are sent to the tunnel.'],
  'integrations.installations.remove-site': ['Removed {integrationName} from site {siteId}.'],
  'integrations.installations.remove-space': ['Removed {integrationName} from space {spaceId}.'],
  'integrations.tasks': ['Queued a task for {integrationName}.'],
  'integrations.unpublish': ['Deleted {integrationName} with all installations.'],
  'jobs.cancel': ['Canceled job {jobId}.'],
  'orgs.join': ['Joined {organizationId}.'],
  'sites.customization.reset': ['Removed all overrides for {siteSpaceId} on site {siteId}.'],
  'sites.events.track': ['Reported the events of site {siteId}.'],
  'sites.section-groups.remove-section': [
    'Moved section {siteSectionId} out of section group {siteSectionGroupId}.',
  ],
  'spaces.content.apply-template': [
    'Added the content of template {id} to change request {changeRequestId} of space {spaceId}.',
    'Added the content of template {id} to space {spaceId}.',
  ],
  'spaces.git.connect': ['Set the git repository of space {spaceId}.'],
  'spaces.git.disconnect': ['Removed the git repository of space {spaceId}.'],
  'spaces.git.export': ['Queued a commit of the content of space {spaceId}.'],
  'spaces.git.import': ['Queued an import into space {spaceId}.'],
  'teams.members.add': [
    'Gave {userId} the role {role} in team {teamId}.',
    'Added {userId} to team {teamId}.',
  ],
  'teams.members.delete': ['Removed {userId} from team {teamId}.'],
  'teams.members.update': ['Changed the members of team {teamId}.'],
  'translations.glossary.update': ['Changed the glossary.'],
  'translations.run': ['Queued a run of translation {translationId}.'],
};

/** Words before a name that get an "s" before several names. */
const nouns: ReadonlySet<string> = new Set(['collection', 'section', 'site', 'space', 'team', 'translation']);

/** Describes the effect of an operation without an answer: "Added ben@example.com to team Writers." */
export function describeDone(
  { id, summary }: Operation,
  names: readonly string[],
  given: GivenNames,
): string {
  for (const known of texts[id] ?? []) {
    // The role none takes the access away.
    const text =
      given['role'] === null
        ? known.replace(/^Gave (.+) the role \{role\} on (.+)$/, 'Took away the access of $1 to $2')
        : known;
    let isWhole = true;
    const filled = text.replace(/(?:(\w+) )?\{(\w+)\}/g, (_, word: string | undefined, name: string) => {
      const value = given[name];
      isWhole &&= value !== undefined;
      const isSeveral = Array.isArray(value) && value.length > 1;
      const before = isSeveral && nouns.has(word ?? '') ? `${word}s ` : word === undefined ? '' : `${word} `;
      return before + describeValue(value);
    });
    if (isWhole) return filled;
  }
  const [verb] = /(?:delete|remove)$/.exec(id) ?? [];
  return verb === 'delete' || verb === 'remove'
    ? describeRemoval(verb, nounOf(id).words, names)
    : `Done: ${summary}.`;
}

function describeValue(value: unknown): string {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  const names = all.map((one) => String(one ?? 'none'));
  return names.length > 5 ? listSome(names) : joinAnd(names);
}
