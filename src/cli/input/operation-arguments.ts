import { Argument, Option, type Command } from 'commander';
import { markRequired, markRequiredInBody } from './required.ts';
import { requiredOption } from '../composite-command.ts';
import type { Operation } from '../../contract/operation.ts';
import { canEdit } from './edited-fields.ts';
import { addFields, describeField, requiredFields } from './field-options.ts';
import { propertiesIn } from './field-schema.ts';
import { forceOption, outOption } from './fields.ts';
import { fieldFlag, paramDefaults, paramFlag } from './flags.ts';
import { namesFor } from '../names/name-kinds.ts';
import { positionalsOf, severalNotes, severalOf, type Several } from './positionals.ts';

/** Adds the arguments and options of an operation to a command. */
export function addArguments(command: Command, operation: Operation): void {
  const { paramNames, returns } = operation;
  const positionals = positionalsOf(operation);
  for (const name of positionals) {
    const several = severalOf(operation, name);
    const word = fieldFlag(paramFlag(name));
    const isParam = paramNames.includes(name);
    const note = several === undefined ? '' : noteOf(several, name);
    const argument = new Argument(
      `[${word}${several === undefined ? '' : '...'}]`,
      isParam ? describeParam(name, operation.id, note) : describeField(name, operation, note),
    );
    const isNeeded = isParam
      ? name !== 'organizationId' && paramDefaults[name] === undefined
      : requiredFields(operation).has(name);
    const mark =
      isParam || !propertiesIn(operation.body).some(([field]) => field === name)
        ? markRequired
        : markRequiredInBody;
    command.addArgument(isNeeded ? mark(argument) : argument);
  }
  command.allowExcessArguments(false);
  command.optionsGroup('Options:');
  for (const name of paramNames) {
    if (name === 'organizationId') continue;
    const flag = `--${paramFlag(name)} <${paramFlag(name)}>`;
    // The ID of a change request determines its space.
    const isOptionalSpace =
      name === 'spaceId' &&
      positionals[0] === 'changeRequestId' &&
      severalOf(operation, 'changeRequestId') === 'resources';
    const text = `${describeParam(name, operation.id)}${isOptionalSpace ? '; not needed for IDs of change requests' : ''}`;
    const isNeeded = paramDefaults[name] === undefined && !isOptionalSpace;
    const option = isNeeded ? requiredOption(flag, text) : new Option(flag, text);
    command.addOption(positionals.includes(name) ? option.hideHelp() : option);
  }
  addFields(command, operation, positionals);
  if (canEdit(operation))
    command.option(
      '--edit',
      'edit the fields in your editor (VISUAL or EDITOR), and see the changes before they are sent',
    );
  if (hasAppAddress(operation))
    command.option('--web', 'open it in the browser, as members see it, and print only the address');
  if (returns.item !== undefined) command.option('--all', 'get every page of the list');
  if (returns.file === true) command.option(...outOption).option(...forceOption);
}

/** Returns the help note of an argument with several words. Parameters such as `pagePath` or `specSlug` do not take IDs. */
function noteOf(several: Several, name: string): string {
  return severalNotes[several === 'resources' && !name.endsWith('Id') ? 'values' : several];
}

/** Whether an operation returns a resource that has a page in the app. */
function hasAppAddress({ method, returns }: Operation): boolean {
  const urls = new Map(propertiesIn(returns.schema)).get('urls');
  return method === 'GET' && returns.item === undefined && urls?.properties?.['app'] !== undefined;
}

/** Describes a path parameter: "title, basename or ID of the site". */
function describeParam(name: string, operationId: string, note = ''): string {
  const { word, names } = namesFor(name, operationId);
  const [first, ...more] = [...names, 'ID'];
  const text = more.length === 0 ? first : `${[first, ...more].slice(0, -1).join(', ')} or ${more.at(-1)}`;
  const fallback = name === 'organizationId' ? ' (default: the organization of --org or the settings)' : '';
  return `${textsOfParams[name] ?? `${text} of the ${word}`}${note}${fallback}`;
}

/** Descriptions of path parameters whose resources cannot be found by name. */
const textsOfParams: Readonly<Record<string, string>> = {
  integrationName: 'name of the integration',
  installationId: 'ID of the installation, from `docsctl integrations installations list INTEGRATION`',
  eventId: 'ID of the event, from `docsctl integrations events list INTEGRATION`',
  imageId: 'ID of the image, the last part of its URL',
  conversationId: 'ID of the conversation, from `docsctl conversations list`',
  issueId: 'ID of the issue, from `docsctl conversations issues list`',
  revisionId: 'ID of the revision, from `docsctl revisions list`',
  commentId: 'ID of the comment, from the list of comments',
  commentReplyId: 'ID of the reply, from the list of replies',
  reviewId: 'ID of the review, from `docsctl change-requests reviews list`',
  documentId: 'ID of the document: the documentId of a page, or the document of a reusable content',
  specSlug: 'slug of the specification',
  specId: 'slug or ID of the specification',
  versionId:
    'version, such as 1.0 or latest, or its ID from `docsctl openapi versions SLUG` (default: latest)',
  inviteId: 'ID of the invite link',
  glossaryEntryId: 'ID of the glossary entry, from `docsctl translations glossary list`',
  jobId: 'ID of the job, from `docsctl jobs list`',
  emailDomain: 'email domain, such as example.com',
  hostname: 'custom hostname, such as docs.example.com',
  subdomain: 'subdomain, such as acme',
  pagePath: 'path of the page, such as guides/install',
};
