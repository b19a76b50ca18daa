import { posix } from 'node:path';
import type { Violation } from '../../../errors/problem.ts';
import { describeSource } from '../../../resources/content/links/describe-source.ts';
import type { BrokenLinkBody } from '../../../resources/content/links/schemas.ts';

interface Placed {
  readonly source?: Pick<BrokenLinkBody['source'], 'title' | 'path' | 'file'>;
  readonly line?: number | undefined;
}

interface Explained {
  readonly href?: string | undefined;
  readonly message?: string | undefined;
  readonly problem?: string | undefined;
}

/** Returns the location of a link: its file or else the path of its page, and the line. `root` is the folder of the files. */
export function describePlace({ source, line }: Placed, root: string | undefined): string {
  const place = fileOf(source, root) ?? source?.path ?? source?.title ?? '';
  return line === undefined ? place : `${place}:${line}`;
}

/** Returns the problem of a link; undefined if it has none. */
export function problemOf({ message, problem }: Explained): string | undefined {
  return problem ?? message?.replace(/^[A-Z]/, (letter) => letter.toLowerCase()).replace(/\.$/, '');
}

/** Converts a broken link to a violation with its file, or without a file if its page has none. */
export function brokenLinkViolation(link: Placed & Explained, root: string | undefined): Violation {
  const place = describePlace(link, root);
  const message = brokenText(link);
  return link.source?.file === undefined
    ? { path: '', message: `${place}: ${message}` }
    : { path: place, message };
}

/**
 * Converts links that a change would break to warnings about their files. `rootOf` returns the root of the documentation of a
 * space. Links in other spaces are identified by their space and page.
 */
export function brokenLinkViolations(
  links: readonly BrokenLinkBody[],
  rootOf: (spaceId: string) => string | undefined,
): Violation[] {
  return links.map((link) => {
    const root = rootOf(link.space.id);
    return root === undefined
      ? { path: '', message: `${describeSource(link)}: ${brokenText(link)}` }
      : brokenLinkViolation(link, root);
  });
}

function brokenText(link: Explained): string {
  const why = problemOf(link);
  return `broken link: ${link.href ?? ''}${why === undefined ? '' : ` (${why})`}`;
}

function fileOf(source: Placed['source'], root: string | undefined): string | undefined {
  if (source?.file === undefined) return undefined;
  return root === undefined ? source.file : posix.join(root, source.file);
}
