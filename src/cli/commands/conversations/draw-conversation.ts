import type { OutputOf } from '../../../contract/operation.ts';
import type { RichNode } from '../../../contract/shapes.ts';
import type { getConversation } from '../../../resources/conversations/contract.ts';
import { block, textNode } from '../../../richtext/nodes.ts';
import { displayText } from '../../output/cell.ts';
import type { Session } from '../../session.ts';

type Answer = OutputOf<typeof getConversation>;

/** A conversation as a person reads it: what is known of it, then who said what; nothing in it can command the terminal. */
export async function drawConversation({ terminal }: Session, answer: Answer): Promise<string> {
  const [{ renderPage }, { createStyler }] = await Promise.all([
    import('../../output/markdown/render.ts'),
    import('../../output/style.ts'),
  ]);
  const { id, subject } = answer.conversation;
  const messages = messagesOf(answer);
  const nodes = messages.length > 0 ? messages : [paragraph('No messages.')];
  return renderPage(
    { title: subject ?? id, description: factsOf(answer), nodes },
    { columns: terminal.columns, ink: await createStyler(terminal.color) },
  );
}

/** Its messages as rows, each with what is known of the conversation; one row without a message where there is none. */
export function conversationRows(answer: Answer): object[] {
  const { parts, ...rest } = answer;
  return parts.length === 0 ? [rest] : parts.map(({ role, body }) => ({ ...rest, role, text: body }));
}

function factsOf({ conversation, metadata }: Answer): string {
  const { id, createdAt, source, impact, processedAt } = conversation;
  const attributes = Object.entries(metadata.attributes ?? {}).map(([name, value]) => `${name}: ${value}`);
  const facts = [
    id,
    displayText(createdAt),
    source,
    ...(impact === undefined ? [] : [`${impact} impact`]),
    processedAt === undefined ? 'not analysed yet' : `analysed ${displayText(processedAt)}`,
    ...attributes,
    ...(metadata.url === undefined ? [] : [metadata.url]),
  ];
  return facts.map(onOneLine).join(' · ');
}

/** What one says in a row stands together under who it is. */
function messagesOf({ parts }: Answer): RichNode[] {
  const turns: { readonly role: string; readonly bodies: string[] }[] = [];
  for (const { role, body } of parts) {
    if (turns.at(-1)?.role !== role) turns.push({ role, bodies: [] });
    turns.at(-1)!.bodies.push(body.replaceAll('\r\n', '\n').trim());
  }
  return turns.map(({ role, bodies }) => block('tabs-item', bodies.map(paragraph), { title: role }));
}

const onOneLine = (text: string): string => text.replace(/\s+/g, ' ');
const paragraph = (text: string): RichNode => block('paragraph', [textNode([{ text, marks: [] }])]);
