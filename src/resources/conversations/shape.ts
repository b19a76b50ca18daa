import type { Static } from '../../contract/schema.ts';
import type { UrlContext } from '../../core/handler.ts';
import type { Conversation } from './contract.ts';
import type { ConversationRow } from './rows.ts';
import { defined } from '../../contract/values.ts';
import { parseUrl } from '../../contract/parse-url.ts';

/** Returns a conversation in the form of the API, with the id that its caller chose. */
export function shapeConversation({ url }: UrlContext, row: ConversationRow): Static<typeof Conversation> {
  const id = row.id.slice(row.organization.length + 1);
  return defined({
    object: 'conversation',
    id,
    subject: row.subject,
    createdAt: row.metadata?.createdAt ?? row.ingestedAt,
    processedAt: row.processedAt,
    source: row.source,
    impact: row.impact,
    urls: {
      location: url(`/v1/orgs/${row.organization}/conversations/${encodeURIComponent(id)}`),
      ...(isLink(row.metadata?.url) ? { source: row.metadata.url } : {}),
    },
  });
}

/** Whether the URL from the caller, which is free text, can be shown as a link. */
function isLink(text: string | undefined): text is string {
  return text !== undefined && /^https?:\/\/\S+$/i.test(text) && parseUrl(text) !== undefined;
}
