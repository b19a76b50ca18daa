import { spaceBase } from '../base.ts';
import { fileOperations, linkOperations } from '../declarations.ts';

export const { listFiles, getFile, downloadFile } = fileOperations(spaceBase);
export const { listFileBacklinks } = linkOperations(spaceBase);
