import { posix } from 'node:path';
import type { Static } from '../../../contract/schema.ts';
import type { Violation } from '../../../errors/problem.ts';
import { describeSource } from '../../../resources/content/links/describe-source.ts';
import type { BrokenLinkBody } from '../../../resources/content/links/schemas.ts';
import type { Link } from '../../../resources/spaces/contract.ts';
import { writeAnnotation } from '../../output/github-annotation.ts';

type LinkBody = Omit<Static<typeof Link>, 'status'> & { readonly problem?: string };

interface Placed {
  readonly source?: Pick<BrokenLinkBody['source'], 'title' | 'path' | 'file'> | undefined;
  readonly line?: number | undefined;
}

/** The place of a link: its file, or else the path of its page, and the line. `root` is put in front of files. */
export function describePlace({ source, line }: Placed, root: string | undefined): string {
  const place = fileOf(source, root) ?? source?.path ?? source?.title ?? '';
  return line === undefined ? place : `${place}:${line}`;
}

/** Why a link is not good, for people; undefined where it is. */
export function problemOf({ message, problem }: Pick<LinkBody, 'message' | 'problem'>): string | undefined {
  return problem ?? message?.replace(/^[A-Z]/, (letter) => letter.toLowerCase()).replace(/\.$/, '');
}

/** A broken link as an annotation for GitHub. */
export function githubAnnotation(link: LinkBody, root: string | undefined): string {
  const { source, line } = link;
  const file = fileOf(source, root);
  const message = brokenText(link);
  return file === undefined
    ? writeAnnotation({ level: 'error', message: `${describePlace(link, root)}: ${message}` })
    : writeAnnotation({ level: 'error', file, line, message });
}

/**
 * Returns links that a change would break, as warnings about their files. `rootOf` says where the documentation of a space is;
 * links in other spaces are named by their space and page.
 */
export function brokenLinkViolations(
  links: readonly BrokenLinkBody[],
  rootOf: (spaceId: string) => string | undefined,
): Violation[] {
  return links.map((link) => {
    const root = rootOf(link.space.id);
    return root === undefined || link.source.file === undefined
      ? { path: '', message: `${describeSource(link)}: ${brokenText(link)}` }
      : { path: describePlace(link, root), message: brokenText(link) };
  });
}

function brokenText(link: Pick<LinkBody, 'href' | 'message' | 'problem'>): string {
  const why = problemOf(link);
  return `broken link: ${link.href ?? ''}${why === undefined ? '' : ` (${why})`}`;
}

function fileOf(source: Placed['source'], root: string | undefined): string | undefined {
  if (source?.file === undefined) return undefined;
  return root === undefined ? source.file : posix.join(root, source.file);
}
