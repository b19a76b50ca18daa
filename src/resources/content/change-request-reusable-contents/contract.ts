import type { NounHelp } from '../../../contract/operation.ts';
import { changeRequestBase } from '../base.ts';
import { reusableContentOperations } from '../declarations.ts';

export const nounHelp: NounHelp = {
  description:
    'Reusable contents are pieces of text that several pages can include. The reusable contents of a change request are those of its space, with the edits of the change request.',
  examples: ['docsctl change-requests reusable-contents list 7 --space Guide'],
};

export const { listReusableContents, getReusableContent } = reusableContentOperations(changeRequestBase);
