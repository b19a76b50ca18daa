import { revisionBase } from '../base.ts';
import { fileOperations } from '../declarations.ts';

export const { listFiles, getFile, downloadFile } = fileOperations(revisionBase);
