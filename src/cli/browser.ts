import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { platform } from 'node:os';
import { isHttpUrl } from '../contract/open-address.ts';
import { valueAt } from '../contract/paths.ts';
import { isProblem, Problem } from '../errors/problem.ts';
import { createSignInLink } from '../resources/users/contract.ts';
import { escapeControls } from './output/escape-controls.ts';
import { wantsTable, type Session } from './session/session.ts';
import { splitCommand } from './split-command.ts';

/** An address of a resource, with its kind. */
interface Address {
  readonly object: unknown;
  readonly id: unknown;
  readonly url: string;
}

interface OpenOptions {
  readonly field?: 'app' | 'published';
  /** Whether to start a browser. With false, links are printed instead. */
  readonly browser?: boolean;
}

/**
 * Prints the address of each resource. On a terminal, also opens it in the browser: with a sign-in link of the server, or in
 * pages of an embedded store, which this command serves until it is interrupted.
 */
export async function openAddresses(
  session: Session,
  resources: readonly unknown[],
  { field = 'app', browser = true }: OpenOptions = {},
): Promise<void> {
  const { terminal, flags, settings, note } = session;
  const addresses = resources.map((resource) => addressOf(resource, field));
  const isOpened = browser && terminal.stdoutIsTTY && flags.input !== false;
  if (field === 'app' && settings.server === undefined && (isOpened || !browser)) {
    const { showLocally } = await import('./serve/show-locally.ts');
    return showLocally(session, addresses, isOpened ? (url) => openInBrowser(session, url) : undefined);
  }
  if (field === 'app' && !browser) {
    const links = [];
    for (const address of addresses) links.push({ ...address, ...(await signInLink(session, address.url)) });
    return printAddresses(session, links);
  }
  await printAddresses(session, addresses);
  if (!isOpened) return;
  if (settings.server === undefined)
    return note(
      'Nothing was opened: no server is set. A server shows published sites with `docsctl serve --sites-port 8081`.',
    );
  for (const { url } of addresses)
    await openInBrowser(session, field === 'app' ? (await signInLink(session, url)).link : url);
}

/** Prints addresses, or sign-in links to them. */
export async function printAddresses(
  session: Session,
  addresses: readonly (Address & { link?: string })[],
): Promise<void> {
  if (wantsTable(session))
    for (const { url, link = url } of addresses) await session.paged.write(`${escapeControls(link)}\n`);
  else if (addresses.length === 1) await session.print(addresses[0]);
  else await session.printAll(addresses);
}

/** Returns a link that opens an address of the server once; the address itself if the server does not support such links. */
async function signInLink(session: Session, url: string): Promise<{ link: string; expiresAt?: string }> {
  try {
    const { url: link, expiresAt } = await session.call(createSignInLink, { body: { url } });
    // The program that opens web addresses may also start programs and open files on this machine.
    if (!isHttpUrl(link))
      throw new Problem('unreachable', 'The server returned a sign-in link that is not a web address.', {
        hint: 'Check the address of the server: `docsctl config explain`.',
      });
    return { link, expiresAt };
  } catch (error) {
    if (
      !isProblem(error, 'not-found') &&
      !isProblem(error, 'not-implemented') &&
      !isProblem(error, 'method-not-allowed')
    )
      throw error;
    session.note('This server cannot sign a browser in with a link, so its plain address is opened.');
    return { link: url };
  }
}

function addressOf(resource: unknown, field: string): Address {
  const url = valueAt(resource, `urls.${field}`);
  if (isHttpUrl(url)) return { object: valueAt(resource, 'object'), id: valueAt(resource, 'id'), url };
  throw new Problem(
    'not-found',
    `This ${String(valueAt(resource, 'object') ?? 'thing')} has no ${field === 'published' ? 'published address' : 'address'}.`,
    {
      hint:
        field !== 'published'
          ? 'Give a space, site or page.'
          : valueAt(resource, 'published') === true
            ? 'Start a server that shows sites: `docsctl serve --sites-port 8081`.'
            : valueAt(resource, 'object') === 'space'
              ? 'To see why, name a site that shows the space: `docsctl open SITE --published`.'
              : 'Publish the site first: `docsctl sites publish SITE`.',
    },
  );
}

/** Starts the browser of BROWSER, or of the operating system, and leaves it running. */
export async function openInBrowser({ runtime, note }: Session, url: string): Promise<void> {
  const { BROWSER: chosen = '' } = runtime.env;
  const [command = '', ...args] =
    chosen === '' ? systemBrowser() : splitCommand(chosen, 'browser', 'BROWSER', platform() !== 'win32');
  const browser = spawn(command, [...args, url], { stdio: 'ignore', detached: true, env: runtime.env });
  browser.unref();
  const isStarted = await once(browser, 'spawn').then(
    () => true,
    () => false,
  );
  if (!isStarted)
    note(
      `The browser "${command}" could not be started. Set BROWSER to a command, or open the link of \`docsctl open --no-browser\`.`,
    );
}

function systemBrowser(): string[] {
  const system = platform();
  if (system === 'darwin') return ['open'];
  return system === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open'];
}
