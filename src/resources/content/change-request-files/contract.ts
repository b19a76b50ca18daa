import type { NounHelp } from '../../../contract/operation.ts';
import { changeRequestBase } from '../base.ts';
import { fileOperations, linkOperations } from '../declarations.ts';

export const nounHelp: NounHelp = {
  description:
    'The files of a change request are the files of its space with the edits of the change request.',
  examples: ['docsctl change-requests files list 7 --space Guide'],
};

export const { listFiles, getFile, downloadFile } = fileOperations(changeRequestBase);
export const { listFileBacklinks } = linkOperations(changeRequestBase);
