import type { NounHelp } from '../../../contract/operation.ts';
import { spaceBase } from '../base.ts';
import { fileOperations, linkOperations } from '../declarations.ts';

export const nounHelp: NounHelp = {
  description:
    'The files of a space are images and other attachments that its pages refer to. `docsctl spaces files add` adds or replaces a file.',
  examples: [
    'docsctl spaces files list Guide',
    'docsctl spaces files download logo.png --space Guide -O logo.png',
  ],
};

export const { listFiles, getFile, downloadFile } = fileOperations(spaceBase);
export const { listFileBacklinks } = linkOperations(spaceBase);
