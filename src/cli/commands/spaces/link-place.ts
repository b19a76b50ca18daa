import { posix } from 'node:path';
import type { Static } from '../../../contract/schema.ts';
import type { Link } from '../../../resources/spaces/contract.ts';

type LinkBody = Static<typeof Link>;

/** Where a link is written: the file or else the path of its page, and the line. */
export function describePlace(
  { source, line }: Pick<LinkBody, 'source' | 'line'>,
  root: string | undefined,
): string {
  const where = fileOf(source, root) ?? source?.path ?? source?.title ?? '';
  return line === undefined ? where : `${where}:${line}`;
}

/** A broken link as a workflow command of GitHub, which shows it beside the line. */
export function githubAnnotation(link: LinkBody, root: string | undefined): string {
  const { source, line, href = '' } = link;
  const file = fileOf(source, root);
  const properties =
    file === undefined
      ? []
      : [`file=${escapeProperty(file)}`, ...(line === undefined ? [] : [`line=${line}`])];
  const message =
    file === undefined ? `${describePlace(link, root)}: broken link: ${href}` : `broken link: ${href}`;
  return `::error${properties.length === 0 ? '' : ` ${properties.join(',')}`}::${escapeMessage(message)}`;
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
