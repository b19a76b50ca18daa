import type { Api } from '../contract/api.ts';
import type { FileAnswer } from '../contract/file.ts';
import type { InputOf, Operation } from '../contract/operation.ts';
import { partHeaders } from '../publishing/answer-headers.ts';
import { downloadChangeRequestPdf } from '../resources/change-requests/contract.ts';
import * as changeRequestFiles from '../resources/content/change-request-files/contract.ts';
import * as revisionFiles from '../resources/content/revision-files/contract.ts';
import * as spaceFiles from '../resources/content/space-files/contract.ts';
import { downloadSpec } from '../resources/openapi/contract.ts';
import { downloadSpacePdf } from '../resources/spaces/contract.ts';
import { pdfHeaders, uploadHeaders, type AppAnswer } from './app-answers.ts';
import { matchParts } from './page-routes.ts';

/** The operations whose files a browser with a session can download, at their API paths below `/o/~download`. */
const operations: readonly Operation[] = [
  spaceFiles.downloadFile,
  changeRequestFiles.downloadFile,
  revisionFiles.downloadFile,
  downloadSpacePdf,
  downloadChangeRequestPdf,
  downloadSpec,
];

const table = operations.map((operation) => ({ parts: operation.path.split('/').slice(1), operation }));

/** Answers with the file at a path of the API, given as its decoded parts; undefined if no operation has this path. */
export async function answerDownload(
  api: Api,
  parts: readonly string[],
  query: URLSearchParams,
  signal: AbortSignal,
): Promise<AppAnswer | undefined> {
  for (const { parts: pattern, operation } of table) {
    const params = matchParts(pattern, parts);
    if (params === undefined) continue;
    const input = { params, query: queryOf(query) } as InputOf<Operation>;
    const { name, contentType, bytes, hash } = (await api.call(operation, input, {
      signal,
    })) as unknown as FileAnswer;
    const isPdf = operation === downloadSpacePdf || operation === downloadChangeRequestPdf;
    const headers = uploadHeaders(contentType, name);
    return {
      status: 200,
      headers: isPdf
        ? { ...pdfHeaders, 'content-disposition': headers['content-disposition'] ?? '' }
        : { ...headers, ...(hash === undefined ? {} : partHeaders(hash)) },
      body: bytes,
    };
  }
  return undefined;
}

/** Returns the query for the operations, which reject unknown fields. */
function queryOf(query: URLSearchParams): Record<string, unknown> {
  return Object.fromEntries([...query].map(([name, value]) => [name, value === 'true' ? true : value]));
}
