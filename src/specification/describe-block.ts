import type { RichNode } from '../contract/shapes.ts';
import { recordOf } from '../contract/values.ts';
import { textOfValue } from '../richtext/nodes.ts';
import { describeOperation, describeSchemas } from './describe-operation.ts';
import { listServers } from './list-servers.ts';
import { headingText, oneLine, toText, type OperationEntry } from './specification-tree.ts';
import { findOperation, targetOfBlock, operationTitle } from './view-operation.ts';

type Fields = Record<string, unknown>;

/**
 * Describes what a block shows in Markdown: an operation, a webhook or schemas of a specification. Undefined if the specification
 * does not have them.
 */
export function describeBlock(root: Fields, node: RichNode): string[] | undefined {
  if (node.type === 'openapi-schemas') {
    const wanted = node.data?.['schemas'];
    const names = Array.isArray(wanted) ? wanted.map((name) => textOfValue(name).trim()) : undefined;
    const lines = describeSchemas(root, names);
    return lines.length === 0 ? undefined : lines;
  }
  const target = targetOfBlock(node);
  const entry = findOperation(root, target);
  if (entry === undefined) return undefined;
  const { isWebhook, path } = target;
  const { deprecated } = entry.operation;
  const [server] = isWebhook
    ? []
    : listServers(root, recordOf(recordOf(root['paths'])[path]), entry.operation);
  return [
    `**${headingText(operationTitle(entry))}**`,
    '',
    ...(deprecated === true ? ['Deprecated.', ''] : []),
    ...describeEntry(root, entry, isWebhook, server?.address.replace(/\/$/, '')),
  ];
}

/** Describes an operation or a webhook: its method and path, its description, and its parts. */
export function describeEntry(
  root: Fields,
  entry: OperationEntry,
  isWebhook: boolean,
  server = '',
): string[] {
  const description = belowHeadings(toText(entry.operation['description'])).trim();
  return [
    `\`${entry.method.toUpperCase()} ${oneLine(server + entry.path).replaceAll('`', '')}\``,
    '',
    ...(description === '' ? [] : [...description.split('\n'), '']),
    ...describeOperation(root, entry, isWebhook ? 'webhooks' : 'paths'),
  ];
}

/** A fence of code, with its marks and its end, or a heading. */
const fenceOrHeading =
  /^ {0,3}(`{3,}(?![^\n]*`)|~{3,})[^]*?(?:(\n {0,3}\1[`~]*[ \t]*$)|(?![^]))|^#{1,4}(?= )/gm;

/**
 * Returns Markdown of the specification without tags. Its headings become lower than those of the page, and an open fence of code
 * does not contain what follows.
 */
export function belowHeadings(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replace(fenceOrHeading, (found: string, marks?: string, end?: string) =>
      marks === undefined ? `##${found}` : end === undefined ? `${found.trimEnd()}\n${marks}` : found,
    )
    .replaceAll('{%', '{ %');
}
