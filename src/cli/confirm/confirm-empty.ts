import type { Session } from '../session/session.ts';
import { confirmQuestion } from './confirm.ts';

/** Asks before all text of a page is removed. @throws Problem(guard-refused) */
export function confirmEmpty(session: Session, title: string): Promise<void> {
  return confirmQuestion(session, {
    question: (where) => `The new text is empty. Remove all text of the page "${title}" on ${where}?`,
    refusal: `The new text is empty, but the page "${title}" has text. Nothing was changed.`,
    hint: 'Check the file. To remove all text of the page, add --yes.',
  });
}
