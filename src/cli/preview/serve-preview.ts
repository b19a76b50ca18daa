import { setTimeout } from 'node:timers/promises';
import type { Value } from '../../conditions/values.ts';
import type { Core } from '../../core/embedded.ts';
import { Problem } from '../../errors/problem.ts';
import { answerPreview } from '../../publishing/answer-preview.ts';
import { PageCache } from '../../publishing/page-cache.ts';
import { getSiteStructure } from '../../resources/sites/contract.ts';
import { openLog } from '../serve/open-log.ts';
import { startPreviewServer, type PreviewServer } from '../../server/preview-app.ts';
import { openInBrowser } from '../browser.ts';
import { spacesIn } from '../../resources/site-structure/spaces-in.ts';
import type { Session } from '../session/session.ts';
import type { PreviewSource } from './preview-source.ts';
import { readerOf } from './reader.ts';

interface ServeOptions {
  readonly source: PreviewSource;
  readonly title: string;
  readonly params: { readonly organizationId: string; readonly siteId: string };
  readonly base: string;
  readonly claims: Readonly<Record<string, Value>>;
  /** 0 takes any free port. */
  readonly port: number;
  readonly opensBrowser: boolean;
  /** Milliseconds between two checks for changes. */
  readonly interval: number;
}

/** Maximum milliseconds between two checks for changes. */
const maxWait = 1000;
/** Number of checks without a change after which open pages are asked to compare themselves anyway. */
const looksPerRefresh = 4;

/** Shows a preview on this machine until the command is stopped. @throws Problem(conflict) if the port is in use */
export async function servePreview(session: Session, options: ServeOptions): Promise<void> {
  const { runtime, note } = session;
  const { source, title, params, base, claims, port } = options;
  let failure: string | undefined;
  let shown = '[]';
  const problems = (): string[] => [...(failure === undefined ? [] : [failure]), ...source.problems];
  const update = async (): Promise<boolean> => {
    const before = failure;
    let isChanged = false;
    try {
      isChanged = await source.update();
      failure = undefined;
    } catch (error) {
      if (!(error instanceof Problem) || error.reason === 'interrupted') throw error;
      failure = error.message;
    }
    noteProblems();
    return isChanged || failure !== before;
  };
  const noteProblems = (): void => {
    const lines = problems();
    const text = JSON.stringify(lines);
    if (text === shown) return;
    for (const line of lines) note(`problem: ${line}`);
    if (lines.length === 0) note('All problems are solved.');
    shown = text;
  };
  const cache = new PageCache();
  let count = 0;
  const log = openLog(runtime, { logLevel: 'error' });
  const server = await startPreviewServer({
    port,
    base,
    clock: runtime.clock,
    randomBytes: runtime.randomBytes,
    newRequestId: () => `req-${++count}`,
    log,
    answer: async (request) =>
      answerPreview(source.core, cache, request, {
        siteId: params.siteId,
        base,
        claims,
        readable: await readableSpaces(session, source.core, params),
      }),
    problems: () => shorten(problems()),
    onOpened: () => note(`To open the preview in another browser: ${server.createAddress()}`),
  });
  try {
    await announce(session, server, options);
    noteProblems();
    await follow(session, { server, update, interval: options.interval });
    if (session.format === 'table') note(`Stopped the preview of ${title}.`);
  } finally {
    await server.close();
    await log.written();
  }
}

/** Maximum number of problems on a page. */
const maxShown = 5;

function shorten(problems: readonly string[]): readonly string[] {
  return problems.length <= maxShown
    ? problems
    : [...problems.slice(0, maxShown), `… and ${problems.length - maxShown} more, which the terminal lists.`];
}

/** Returns the spaces of a site that the member of --as can read; undefined for all spaces, without --as. */
async function readableSpaces(
  session: Session,
  core: Core,
  params: ServeOptions['params'],
): Promise<ReadonlySet<string> | undefined> {
  if (session.settings.as === undefined) return undefined;
  const { structure } = await readerOf(session, core).call(getSiteStructure, { params });
  return new Set(spacesIn(structure));
}

async function announce(
  session: Session,
  server: PreviewServer,
  { title, opensBrowser }: ServeOptions,
): Promise<void> {
  const { terminal, format, flags } = session;
  const address = server.createAddress();
  if (format === 'json' || format === 'ndjson')
    await terminal.stdout.write(`${JSON.stringify({ object: 'site-preview', url: address })}\n`);
  else if (format === 'table')
    await terminal.stdout.write(
      `Previewing ${title} at ${address}\nThe address opens in one browser. Press Ctrl-C to stop.\n`,
    );
  else await terminal.stdout.write(`url: ${address}\n`);
  await terminal.stdout.flush();
  if (opensBrowser && terminal.stdoutIsTTY && flags.input !== false) await openInBrowser(session, address);
}

/** Applies changes and refreshes open pages, until the command is stopped. */
async function follow(
  { runtime: { signal } }: Session,
  {
    server,
    update,
    interval,
  }: {
    server: PreviewServer;
    update: () => Promise<boolean>;
    interval: number;
  },
): Promise<void> {
  let took = 0;
  for (let look = 1; !signal.aborted; look += 1) {
    // Checking a very large folder takes long.
    const wait = Math.max(interval, Math.min(took * 10, maxWait));
    await setTimeout(wait, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    const start = performance.now();
    const isChanged = await update();
    took = isChanged ? 0 : performance.now() - start;
    if (isChanged || look % looksPerRefresh === 0) await server.refresh();
  }
}
