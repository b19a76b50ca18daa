import { createRedactor } from '../../redaction/create-redactor.ts';
import { privateKinds, type KnownData } from '../../redaction/kinds.ts';
import { findKnownData } from '../../redaction/known-data.ts';
import type { IssueRow } from '../conversation-issues/rows.ts';
import type { ConversationRow } from './rows.ts';

/** Returns the names, addresses and passwords in a conversation; none without a conversation. */
export function knownDataOf(row: ConversationRow | undefined): KnownData {
  const { subject, metadata, parts = [] } = row ?? {};
  return findKnownData({ subject, attributes: metadata?.attributes, parts });
}

/** Returns a function that replaces private data in texts of a conversation. */
export function redactTextOf(known: KnownData | undefined): (text: string) => string {
  return createRedactor(privateKinds, known).redactText;
}

/** Replaces private data in the texts of an issue. The long text is replaced only when it is read. */
export function redactIssue(issue: IssueRow, redactText: (text: string) => string): IssueRow {
  return {
    ...issue,
    title: redactText(issue.title),
    get text() {
      return redactText(issue.text);
    },
  };
}
