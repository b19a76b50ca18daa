import type { OutputOf } from '../contract/operation.ts';
import type { RichDocumentValue, RichNode } from '../contract/shapes.ts';
import type { getCluster } from '../resources/conversation-clusters/contract.ts';
import type { listIssues } from '../resources/conversation-issues/contract.ts';
import { block, textNode } from '../richtext/nodes.ts';

/** Characters of an issue that are quoted, and issues. */
const longest = 500;
const most = 5;

/** A page to begin with, out of what is known of a cluster. What people wrote stays text, whatever signs are in it. */
export function clusterPage(
  { summary }: OutputOf<typeof getCluster>,
  issues: OutputOf<typeof listIssues>['items'],
): RichDocumentValue {
  const quoted = new Map(issues.map(({ issue }) => [issue.title, plain(issue.summary)]));
  const quotes = [...quoted]
    .slice(0, most)
    .map(([title, text]) => block('blockquote', [paragraph(cut(text === '' ? plain(title) : text))]));
  const nodes = [
    paragraph('This is a draft: write the answer here.'),
    heading('What it is about'),
    ...summary.nodes.map(plainNode),
    heading('What people say'),
    ...quotes,
  ];
  return { object: 'document', data: { schemaVersion: 2 }, nodes };
}

const odd = /[\s\p{Cc}\p{Bidi_Control}]+/gu;

/** Text on one line, without what commands a terminal or turns the order of letters around. */
export function plain(text: string): string {
  return text.replace(odd, ' ').trim();
}

/** A node of the summary, whose bullets quote as well. */
function plainNode(node: RichNode): RichNode {
  const leaves = node['leaves'] as readonly { readonly text: string }[] | undefined;
  return {
    ...node,
    ...(leaves === undefined
      ? {}
      : { leaves: leaves.map((leaf) => ({ ...leaf, text: leaf.text.replace(odd, ' ') })) }),
    ...(node.nodes === undefined ? {} : { nodes: node.nodes.map(plainNode) }),
  };
}

function paragraph(text: string): RichNode {
  return block('paragraph', [textNode([{ text, marks: [] }])]);
}

function heading(text: string): RichNode {
  return block('heading-2', [textNode([{ text, marks: [] }])]);
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`;
}
