import type { Command } from 'commander';
import { Problem } from '../../../errors/problem.ts';
import {
  createChangeRequest,
  getChangeRequest,
  mergeChangeRequest,
  updateChangeRequest,
} from '../../../resources/change-requests/contract.ts';
import { checkUnlocked } from '../../../core/check-unlocked.ts';
import { getSpace } from '../../../resources/spaces/contract.ts';
import type { Session } from '../../session/session.ts';
import { readMoved } from '../../results/link-impact.ts';
import { createByMerge, drawMoved, noteMoved, type Moved } from '../../results/moved-redirects.ts';
import { shellWord } from '../../../contract/shell-word.ts';
import { archiveEmpty } from './archive-empty.ts';
import { truncate } from '../../../contract/values.ts';

/** The options of commands that make a change of content in a change request. */
export interface ChangeRequestOptions {
  readonly changeRequest?: string;
  readonly subject?: string;
  readonly message?: string;
  readonly merge?: boolean;
  readonly redirects?: boolean;
}

export interface OpenChangeRequest {
  readonly params: { readonly spaceId: string; readonly changeRequestId: string };
  readonly number: number;
  readonly revision: string;
  readonly isNew: boolean;
}

/** Adds the options that choose the change request for an edit. */
export function addChangeRequestOptions(command: Command): Command {
  return command
    .option(
      '--change-request <change-request>',
      'number or ID of the change request to edit, instead of a new one',
    )
    .option('--subject <text>', 'subject of the new change request (default: a subject that names the edit)')
    .option('--message <markdown>', 'description of the new change request')
    .option('--merge', 'merge the change request immediately')
    .option(
      '--redirects',
      'with --merge, redirect the old paths of all pages that the change request moves, on published sites',
    );
}

/** @throws Problem(usage) for options that exclude each other */
export function checkChangeRequestOptions({
  changeRequest,
  subject,
  message,
  merge,
  redirects,
}: ChangeRequestOptions): void {
  if (redirects === true && merge !== true)
    throw new Problem('usage', '--redirects needs --merge, because pages move when the edit is merged.', {
      hint: 'Add --merge, or create the redirects later: `docsctl change-requests merge NUMBER --space SPACE --redirects`.',
    });
  if (changeRequest !== undefined && (subject ?? message) !== undefined)
    throw new Problem('usage', '--subject and --message apply only to a new change request.', {
      hint: 'Remove them, or remove --change-request.',
    });
}

/** An edit of the content of a space. `Sent` is the answer of the server. */
interface ContentEdit<Sent extends { readonly revision: string }> {
  readonly spaceId: string;
  /** The name of the space that the user gave, for commands in notes. */
  readonly space: string;
  /** The default subject of a new change request. */
  readonly title: string;
  readonly send: (request: OpenChangeRequest) => Promise<Sent>;
  /** The note if the edit changes nothing. */
  readonly unchanged: string;
  /** Whether a new change request stays open if `send` fails (default: it is archived). */
  readonly isKept?: () => boolean;
  /** Prints the result before the notes (default: the caller prints it). */
  readonly print?: (result: EditResult, sent: Sent) => Promise<void>;
}

export interface EditResult {
  readonly number: number;
  /** The ID of the change request. */
  readonly id: string;
  readonly merged: boolean;
  readonly redirects: readonly Moved[];
}

/**
 * Makes an edit in the change request that the options name, or in a new one; merges it if requested, and prints the result. A
 * new change request that stays empty is archived. Returns the result; undefined if nothing changed.
 */
export async function editContent<Sent extends { revision: string }>(
  session: Session,
  options: ChangeRequestOptions,
  { spaceId, space, title, send, unchanged, isKept, print }: ContentEdit<Sent>,
): Promise<EditResult | undefined> {
  const request = await openChangeRequest(session, spaceId, title, options);
  const { params, number, isNew } = request;
  let sent: Sent;
  try {
    sent = await send(request);
  } catch (error) {
    if (isNew && isKept?.() !== true) await archiveEmpty(session, params);
    throw error;
  }
  if (sent.revision === request.revision) {
    if (isNew) await archiveEmpty(session, params);
    session.note(unchanged);
    return undefined;
  }
  const { merge = false, redirects: makesRedirects = false } = options;
  const redirects = merge
    ? await mergeEdit(session, request, makesRedirects)
    : await readMoved(session, params);
  const result = { number, id: params.changeRequestId, merged: merge, redirects };
  await print?.(result, sent);
  noteResult(session, number, space, merge);
  if (merge) noteMoved(session, redirects, createByMerge(number, space));
  else if (redirects.length > 0 && session.format === 'table')
    await session.terminal.stderr.write(drawMoved(redirects, (text) => text));
  return result;
}

/** Finds the change request for an edit, or creates one. `title` is its default subject. */
async function openChangeRequest(
  session: Session,
  spaceId: string,
  title: string,
  { changeRequest, subject, message }: ChangeRequestOptions,
): Promise<OpenChangeRequest> {
  if (changeRequest !== undefined) {
    const given = { spaceId, changeRequestId: changeRequest };
    const { id, number, revision } = await session.call(getChangeRequest, { params: given });
    return { params: { spaceId, changeRequestId: id }, number, revision, isNew: false };
  }
  // Otherwise an empty change request would remain, because the space refuses the edit.
  checkUnlocked(await session.call(getSpace, { params: { spaceId } }));
  const description =
    message === undefined
      ? undefined
      : (await import('../../../richtext/markdown.ts')).markdownToDocument(message);
  const body = { subject: subject ?? truncate(title, 100) };
  const { id, number, revision } = await session.call(createChangeRequest, { params: { spaceId }, body });
  const params = { spaceId, changeRequestId: id };
  if (description !== undefined) await session.call(updateChangeRequest, { params, body: { description } });
  return { params, number, revision, isNew: true };
}

/** Merges a change request, and returns redirects. @throws Problem(conflict) with the command for resolving the conflicts */
async function mergeEdit(
  session: Session,
  { params, number }: OpenChangeRequest,
  makesRedirects: boolean,
): Promise<readonly Moved[]> {
  session.note(`The edit is in change request ${number}.`);
  const body = makesRedirects ? { redirects: true } : {};
  const { result, redirects = [] } = await session.call(mergeChangeRequest, { params, body });
  if (result === 'conflicts')
    throw new Problem(
      'conflict',
      `Change request ${number} was not merged, because it conflicts with the current content of the space.`,
      {
        hint: session.terminal.stdinIsTTY
          ? `Resolve the conflicts in your editor with \`docsctl change-requests merge ${number} --space ${params.spaceId} --edit\`.`
          : `To see the conflicts and how to resolve them, run \`docsctl change-requests merge ${number} --space ${params.spaceId}\`.`,
      },
    );
  return redirects;
}

/** Notes where the change is, and how to merge it. */
function noteResult(session: Session, number: number, space: string, isMerged: boolean): void {
  if (isMerged) session.note(`Change request ${number} is merged.`);
  else if (session.format === 'table')
    session.note(
      `The edit is in change request ${number}. Merge it with \`docsctl change-requests merge ${number} --space ${shellWord(space)}\`.`,
    );
}
