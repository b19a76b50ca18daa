import type { NounHelp } from '../../../contract/operation.ts';
import { spaceBase } from '../base.ts';
import { reusableContentOperations } from '../declarations.ts';

export const nounHelp: NounHelp = {
  description:
    'The reusable contents of a space are pieces of text that several pages can include. `docsctl spaces import` reads them from the folder .gitbook/includes.',
  examples: ['docsctl spaces reusable-contents list Guide'],
};

export const { listReusableContents, getReusableContent } = reusableContentOperations(spaceBase);
