import type { NounHelp } from '../../../contract/operation.ts';
import { spaceBase } from '../base.ts';
import { reusableContentOperations } from '../declarations.ts';

export const nounHelp: NounHelp = {
  description:
    'The reusable contents of a space are texts that several pages include, from its folder .gitbook/includes. `docsctl spaces import` writes them.',
  examples: ['docsctl spaces reusable-contents list Guide'],
};

export const { listReusableContents, getReusableContent } = reusableContentOperations(spaceBase);
