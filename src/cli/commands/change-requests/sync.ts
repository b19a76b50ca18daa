import { syncChangeRequest } from '../../../resources/change-requests/contract.ts';
import type { CommandHelp } from '../../composite-command.ts';
import { describeWithOptions } from '../../help/option-names.ts';
import { defineWithEditor, editHelp } from './resolve-in-editor.ts';

export const help: CommandHelp = {
  description: `${describeWithOptions(syncChangeRequest)}\n\n${editHelp}`,
  examples: [
    'docsctl change-requests sync 7 --space Guide',
    'docsctl cr sync 7 --space Guide --edit # opens your editor',
  ],
};

export const define = defineWithEditor(syncChangeRequest);
