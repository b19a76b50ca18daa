import type { NounHelp } from '../../../contract/operation.ts';
import { revisionBase } from '../base.ts';
import { fileOperations } from '../declarations.ts';

export const nounHelp: NounHelp = {
  description: 'These commands show the files of an earlier revision of a space.',
  examples: ['docsctl revisions files list rev_6 --space Guide'],
};

export const { listFiles, getFile, downloadFile } = fileOperations(revisionBase);
