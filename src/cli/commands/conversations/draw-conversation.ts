import type { OutputOf } from '../../../contract/operation.ts';
import type { RichNode } from '../../../contract/shapes.ts';
import type { getConversation } from '../../../resources/conversations/contract.ts';
import { block, paragraphOf } from '../../../richtext/nodes.ts';
import { displayText } from '../../output/cell.ts';
import type { Session } from '../../session/session.ts';

type Answer = OutputOf<typeof getConversation>;

/** Draws a conversation as a page: its fields, then its messages. Control characters are escaped. */
export async function drawConversation({ terminal }: Session, answer: Answer): Promise<string> {
  const { drawPage } = await import('../../output/markdown/render.ts');
  const { id, subject } = answer.conversation;
  const messages = messagesOf(answer);
  const nodes = messages.length > 0 ? messages : [paragraphOf('No messages.')];
  return drawPage(terminal, { title: subject ?? id, description: describeFacts(answer), nodes });
}

/** Returns one row per message, each with the fields of the conversation; one row without a message if there are none. */
export function conversationRows(answer: Answer): object[] {
  const { parts, ...facts } = answer;
  return parts.length === 0 ? [facts] : parts.map(({ role, body }) => ({ ...facts, role, text: body }));
}

function describeFacts({ conversation, metadata }: Answer): string {
  const { id, createdAt, source, impact, processedAt } = conversation;
  const { attributes = {}, url } = metadata;
  const facts = [
    id,
    displayText(createdAt),
    source,
    ...(impact === undefined ? [] : [`${impact} impact`]),
    processedAt === undefined ? 'not analyzed yet' : `analyzed ${displayText(processedAt)}`,
    ...Object.entries(attributes).map(([name, value]) => `${name}: ${value}`),
    ...(url === undefined ? [] : [url]),
  ];
  return facts.map((fact) => fact.replace(/\s+/g, ' ')).join(' · ');
}

/** Groups consecutive messages of one role under its name. */
function messagesOf({ parts }: Answer): RichNode[] {
  const turns: { role: string; paragraphs: RichNode[] }[] = [];
  for (const { role, body } of parts) {
    const paragraph = paragraphOf(body.replaceAll('\r\n', '\n').trim());
    const turn = turns.at(-1);
    if (turn?.role === role) turn.paragraphs.push(paragraph);
    else turns.push({ role, paragraphs: [paragraph] });
  }
  return turns.map(({ role, paragraphs }) => block('tabs-item', paragraphs, { title: role }));
}
