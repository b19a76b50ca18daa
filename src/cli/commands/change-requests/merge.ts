import { mergeChangeRequest } from '../../../resources/change-requests/contract.ts';
import type { CommandHelp } from '../../composite-command.ts';
import { describeWithOptions } from '../../help/option-names.ts';
import { withReviewNotes } from './note-reviews.ts';
import { defineWithEditor, editHelp } from './resolve-in-editor.ts';

const reviewsHelp =
  'Requested reviews do not block a merge unless a merge rule requires them. A note names the requested reviewers who have not reviewed the merged content, and the members whose review of it asks for changes.';

export const help: CommandHelp = {
  description: `${describeWithOptions(mergeChangeRequest)}\n\n${reviewsHelp}\n\n${editHelp}`,
  examples: [
    'docsctl change-requests merge 7 --space Guide',
    'docsctl change-requests merge 7 --space Guide --take ours',
    'docsctl change-requests merge 7 --space Guide --require-links',
    'docsctl change-requests merge 7 --space Guide --redirects # also after a merge without --redirects',
    'docsctl change-requests merge 7 --space Guide --edit # opens your editor',
  ],
  exitCodes: { 9: '--require-links: the merge would break links. Nothing was merged.' },
};

export const define = defineWithEditor(mergeChangeRequest, withReviewNotes);
