import { mergeChangeRequest } from '../../../resources/change-requests/contract.ts';
import type { CommandHelp } from '../../command-help.ts';
import { defineWithEditor, editHelp } from './resolve-in-editor.ts';

export const help: CommandHelp = {
  description: `${mergeChangeRequest.description}\n\n${editHelp}`,
  examples: [
    'docsctl change-requests merge 7 --space Guide',
    'docsctl change-requests merge 7 --space Guide --take ours',
    'docsctl change-requests merge 7 --space Guide --require-links',
    'docsctl change-requests merge 7 --space Guide --edit # opens your editor',
  ],
  exitCodes: { 9: '--require-links: the merge would break links. Nothing was merged.' },
};

export const define = defineWithEditor(mergeChangeRequest);
