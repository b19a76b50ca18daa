import { changeRequestBase } from '../base.ts';
import { fileOperations, linkOperations } from '../declarations.ts';

export const { listFiles, getFile, downloadFile } = fileOperations(changeRequestBase);
export const { listFileBacklinks } = linkOperations(changeRequestBase);
