import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { platform } from 'node:os';
import { valueAt } from '../contract/paths.ts';
import { Problem } from '../errors/problem.ts';
import { escapeControls } from './output/escape-controls.ts';
import { wantsTable, type Session } from './session.ts';
import { splitCommand } from './split-command.ts';

/** An address of a resource, with its kind. */
interface Address {
  readonly object: unknown;
  readonly id: unknown;
  readonly url: string;
}

/** What a browser finds at the addresses of a store. */
const notShown = {
  app: '`docsctl serve` does not show these addresses in a browser yet. The address works where another service shows them.',
  published: 'A server shows published sites with `docsctl serve --sites-port 8081`.',
} as const;

/** Prints an address of each resource. On a terminal, opens them in the browser, too. */
export async function openAddresses(
  session: Session,
  resources: readonly unknown[],
  field: 'app' | 'published' = 'app',
): Promise<void> {
  const { terminal, flags, paged, note } = session;
  const addresses = resources.map((resource) => addressOf(resource, field));
  if (wantsTable(session)) for (const { url } of addresses) await paged.write(`${escapeControls(url)}\n`);
  else if (addresses.length === 1) await session.print(addresses[0]);
  else await session.printAll(addresses);
  if (!terminal.stdoutIsTTY || flags.input === false) return;
  if (session.settings.server === undefined)
    return note(`Nothing was opened: no server is set. ${notShown[field]}`);
  note(notShown[field]);
  for (const { url } of addresses) await openInBrowser(session, url);
}

function addressOf(resource: unknown, field: string): Address {
  const url = valueAt(resource, `urls.${field}`);
  if (typeof url === 'string' && /^https?:/.test(url) && URL.canParse(url))
    return { object: valueAt(resource, 'object'), id: valueAt(resource, 'id'), url };
  throw new Problem('not-found', `This ${String(valueAt(resource, 'object') ?? 'thing')} has no address.`, {
    hint:
      field === 'published'
        ? 'Publish the site first: `docsctl sites publish SITE`.'
        : 'Give a space, site or page.',
  });
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
  if (!isStarted) note(`The browser "${command}" could not be started. Set BROWSER to a command.`);
}

function systemBrowser(): string[] {
  const system = platform();
  if (system === 'darwin') return ['open'];
  return system === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open'];
}
