import { posix } from 'node:path';
import type { Static } from '../../../contract/schema.ts';
import type { Link } from '../../../resources/spaces/contract.ts';

type LinkBody = Omit<Static<typeof Link>, 'status'> & { readonly problem?: string };

/** The place of a link: its file, or else the path of its page, and the line. `root` is put in front of files. */
export function describePlace(
  { source, line }: Pick<LinkBody, 'source' | 'line'>,
  root: string | undefined,
): string {
  const place = fileOf(source, root) ?? source?.path ?? source?.title ?? '';
  return line === undefined ? place : `${place}:${line}`;
}

/** Why a link is not good, for people; undefined where it is. */
export function problemOf({ message, problem }: Pick<LinkBody, 'message' | 'problem'>): string | undefined {
  return problem ?? message?.replace(/^[A-Z]/, (letter) => letter.toLowerCase()).replace(/\.$/, '');
}

/**
 * A broken link as a workflow command, which GitHub shows beside the line.
 * Source: https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
export function githubAnnotation(link: LinkBody, root: string | undefined): string {
  const { source, line, href = '' } = link;
  const file = fileOf(source, root);
  const why = problemOf(link);
  const message = `broken link: ${href}${why === undefined ? '' : ` (${why})`}`;
  if (file === undefined) return `::error::${escapeMessage(`${describePlace(link, root)}: ${message}`)}`;
  const position = line === undefined ? '' : `,line=${line}`;
  return `::error file=${escapeProperty(file)}${position}::${escapeMessage(message)}`;
}

function fileOf(source: LinkBody['source'], root: string | undefined): string | undefined {
  if (source?.file === undefined) return undefined;
  return root === undefined ? source.file : posix.join(root, source.file);
}

function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
