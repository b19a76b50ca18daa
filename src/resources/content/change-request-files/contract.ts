import { changeRequestBase } from '../base.ts';
import { fileOperations } from '../declarations.ts';

export const { listFiles, getFile, downloadFile, listFileBacklinks } = fileOperations(changeRequestBase);
