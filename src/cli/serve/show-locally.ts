import { bind } from '../../server/listen.ts';
import { createLocalServer } from '../../server/local-app.ts';
import { printAddresses } from '../browser.ts';
import type { Session } from '../session/session.ts';
import { credentialOf, storeUrlOf } from '../settings/settings.ts';
import { untilStopped } from './until-stopped.ts';

type Addresses = Parameters<typeof printAddresses>[1];

/**
 * Serves the pages of an embedded store on this machine until the command is interrupted. Prints a link to each address, which
 * works once, and passes it to `open`.
 */
export async function showLocally(
  session: Session,
  addresses: Addresses,
  open?: (link: string) => Promise<void>,
): Promise<void> {
  const { runtime, settings, note } = session;
  const place = { host: '127.0.0.1', port: 0 };
  // The URLs of the pages contain the port, so it is reserved first.
  const bound = await bind(place);
  const { openCore } = await runtime.wiring();
  const core = await openCore(runtime, storeUrlOf(runtime, settings), {
    publicUrl: bound.url,
    sitesUrl: settings.sitesUrl?.value,
    asLatestServer: true,
    caFile: settings.caFile,
  });
  try {
    const server = await createLocalServer(core, credentialOf(settings));
    await server.listen({ ...place, bound });
    try {
      const links = addresses.map(({ object, id, url }) => {
        const path = pagePathOf(url);
        return { object, id, url: bound.url + path, link: server.linkTo(path) };
      });
      await printAddresses(session, links);
      await session.paged.flush();
      note('The pages are shown on this machine until Ctrl-C. Each link works once, within 2 minutes.');
      for (const { link } of links) await open?.(link);
      await untilStopped(runtime.signal);
    } finally {
      await server.close();
    }
  } finally {
    const { closeCore } = await import('../../core/embedded.ts');
    await closeCore(core);
  }
}

/** Returns the path of a page without the base URL that the store remembers. */
function pagePathOf(url: string): string {
  const { pathname, hash } = new URL(url);
  return pathname.replace(/^.*?(?=\/(?:o|integrations)\/)/, '') + hash;
}
