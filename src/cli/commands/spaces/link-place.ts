import { posix } from 'node:path';
import type { Static } from '../../../contract/schema.ts';
import type { Link } from '../../../resources/spaces/contract.ts';
import { writeAnnotation } from '../../output/github-annotation.ts';

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

/** A broken link as an annotation for GitHub. */
export function githubAnnotation(link: LinkBody, root: string | undefined): string {
  const { source, line, href = '' } = link;
  const file = fileOf(source, root);
  const why = problemOf(link);
  const message = `broken link: ${href}${why === undefined ? '' : ` (${why})`}`;
  return file === undefined
    ? writeAnnotation({ level: 'error', message: `${describePlace(link, root)}: ${message}` })
    : writeAnnotation({ level: 'error', file, line, message });
}

function fileOf(source: LinkBody['source'], root: string | undefined): string | undefined {
  if (source?.file === undefined) return undefined;
  return root === undefined ? source.file : posix.join(root, source.file);
}
