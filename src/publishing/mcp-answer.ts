import {
  createMcpHandler,
  fromJsonSchema,
  isLegacyRequest,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
  type CallToolResult,
} from '@modelcontextprotocol/server';
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
import { decodePercent, truncate } from '../contract/values.ts';
import { parseJson } from '../contract/limits.ts';
import { markdownPageOf } from './agent-files.ts';
import { json } from './content-types.ts';
import { missing } from './notices.ts';
import { movedAnswer } from './redirect-answer.ts';
import { pageAt } from './page-links.ts';
import { maxQueryLength, searchSite } from './search-site.ts';
import { findSpace } from './site-map.ts';
import type { SiteAnswer } from './site-request.ts';
import type { SiteView } from './site-view.ts';
import { firstDocument } from './space-pages.ts';
import type { Visit } from './visit.ts';
import { parseUrl } from '../contract/parse-url.ts';

/** Maximum length of a page in an answer, in characters. A model cannot use more. */
const maxPage = 200_000;
/** Maximum number of redirects that lead to a page. */
const maxHops = 5;
/** Maximum size of a message, in bytes. */
const maxMessage = 64 * 1024;
/**
 * Checks the arguments of tools. The SDK's default validator compiles each schema first. Here each schema is used once, so this
 * validator, which does not compile, is faster.
 */
const validator = new CfWorkerJsonSchemaValidator();

/**
 * Answers a message of the Model Context Protocol over streamable HTTP, with JSON and without sessions. Its tools read what the
 * visitor can see.
 */
export async function mcpAnswer(visit: Visit): Promise<SiteAnswer> {
  const { request, view } = visit;
  if (view.map.site.agentsContext === 'excluded') return missing(visit, undefined);
  const parsedBody = readMessage(request.body?.bytes ?? new Uint8Array());
  if (parsedBody === undefined)
    return {
      status: 400,
      headers: json,
      body: '{"jsonrpc":"2.0","error":{"code":-32700,"message":"The body is not JSON."},"id":null}',
    };
  const failures: unknown[] = [];
  const factory = (): McpServer => createServer(visit, failures);
  const incoming = new Request('http://site/', {
    method: 'POST',
    headers: {
      'content-type': request.body?.type ?? '',
      accept: 'application/json, text/event-stream',
      ...request.mcpHeaders,
    },
    body: JSON.stringify(parsedBody),
  });
  const response = (await isLegacyRequest(incoming))
    ? await answerOnce(factory, incoming)
    : await createMcpHandler(factory, { legacy: 'reject', maxSubscriptions: 0, keepAliveMs: 0 }).fetch(
        incoming,
      );
  // The client already got the failure from the tool. The server must see it too: an index lags behind, or there is an internal
  // error.
  for (const failure of failures) throw failure;
  const body = Buffer.from(await response.arrayBuffer());
  const type = response.headers.get('content-type');
  return { status: response.status, headers: type === null ? {} : { 'content-type': type }, body };
}

/** Answers a message from a client with a protocol version before 2026. */
async function answerOnce(factory: () => McpServer, incoming: Request): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = factory();
  await server.connect(transport);
  try {
    return await transport.handleRequest(incoming);
  } finally {
    await server.close();
  }
}

function readMessage(bytes: Uint8Array): unknown {
  if (bytes.length > maxMessage) return undefined;
  const text = Buffer.from(bytes).toString();
  try {
    return parseJson(text, { depth: 32, nodes: 2000 });
  } catch {
    return undefined;
  }
}

function createServer(visit: Visit, failures: unknown[]): McpServer {
  const { view } = visit;
  const title = view.titleOf();
  const server = new McpServer(
    { name: title, version: '1.0.0' },
    { instructions: `Search and read the documentation "${title}".`, jsonSchemaValidator: validator },
  );
  const guarded =
    (work: (input: Readonly<Record<string, string>>) => Promise<CallToolResult>) =>
    async (input: Readonly<Record<string, string>>): Promise<CallToolResult> => {
      try {
        return await work(input);
      } catch (error) {
        failures.push(error);
        throw error;
      }
    };
  const annotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };
  const inputOf = (name: string, description: string, maxLength: number) =>
    fromJsonSchema<Readonly<Record<string, string>>>(
      {
        type: 'object',
        properties: { [name]: { type: 'string', minLength: 1, maxLength, description } },
        required: [name],
        additionalProperties: false,
      },
      validator,
    );
  server.registerTool(
    'searchDocumentation',
    {
      title: `Search ${title}`,
      description: `Search the documentation "${title}". Returns the titles, addresses and matching parts of pages.`,
      inputSchema: inputOf('query', 'words to search', maxQueryLength),
      annotations,
    },
    guarded(({ query = '' }) => search(view, query)),
  );
  server.registerTool(
    'getPage',
    {
      title: `Read a page of ${title}`,
      description: `Read a page of the documentation "${title}" as Markdown.`,
      inputSchema: inputOf('url', 'URL or path of the page', 2048),
      annotations,
    },
    guarded(({ url = '' }) => readPage(visit, url)),
  );
  return server;
}

async function search(view: SiteView, query: string): Promise<CallToolResult> {
  const found = await searchSite(view, query);
  if (found.length === 0) return textOf('No page has these words.');
  return {
    content: found.map(({ title, section, href, place, excerpt }) => ({
      type: 'text',
      text: [
        `Title: ${section === undefined || section === '' ? title : `${title} › ${section}`}`,
        `Link: ${view.origin}${href}`,
        ...(place === undefined || place === '' ? [] : [`In: ${place}`]),
        ...(excerpt === undefined ? [] : [`Content: ${excerpt}`]),
      ].join('\n'),
    })),
  };
}

/** Reads the page at an address, or at the one to which it is redirected, as requests to the site are. */
async function readPage(visit: Visit, address: string, hops = 0): Promise<CallToolResult> {
  const { view } = visit;
  const { map, origin } = view;
  const unknown: CallToolResult = { ...textOf(`This site has no page at "${address}".`), isError: true };
  const url = parseUrl(address, origin + map.base);
  if (url === undefined) return unknown;
  // A path without the base of the site is relative to the base.
  const path = `${url.pathname}/`.startsWith(map.base)
    ? url.pathname.slice(map.base.length)
    : url.pathname.slice(1);
  const segments = path
    .split('/')
    .filter((segment) => segment !== '')
    .map(decodePercent);
  if (url.origin !== origin || !segments.every((segment) => segment !== undefined)) return unknown;
  const found = findSpace(map, segments);
  if (found === undefined) return unknown;
  const open = await view.openSpace(found.shown);
  const whole = found.segments.join('/');
  const bare = whole.replace(/(?:^index)?\.md$/, '');
  const place = pageAt(open, whole) ?? pageAt(open, bare);
  const page = place?.type === 'document' ? place : place && firstDocument(place.children);
  if (page === undefined) {
    const request = { ...visit.request, path: url.pathname, query: url.searchParams };
    const moved = await movedAnswer(
      { ...visit, request, visitor: { ...visit.visitor, segments } },
      open,
      bare,
      whole.endsWith('.md'),
    );
    const { location } = moved?.headers ?? {};
    return hops < maxHops && typeof location === 'string' ? readPage(visit, location, hops + 1) : unknown;
  }
  const text = await markdownPageOf(view, open, page);
  return textOf(text.length > maxPage ? `${truncate(text, maxPage)}\n\n(The rest is left out.)\n` : text);
}

function textOf(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}
