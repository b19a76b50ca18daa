import { createSignInLink } from '../../src/resources/users/contract.ts';
import type { Server } from '../../src/server/index.ts';
import type { World } from '../support/world.ts';

/** The address of the server of tests. */
export const origin = 'http://localhost:8080';

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

/** An answer to a browser. */
export type Answer = Awaited<ReturnType<Server['inject']>>;

/** A browser: it keeps cookies, and sends those whose path fits. */
export class Browser {
  readonly #server: Pick<Server, 'inject'>;
  cookies: readonly Cookie[] = [];

  constructor(server: Pick<Server, 'inject'>) {
    this.#server = server;
  }

  /** Sends a request without following where it leads. */
  async send(
    method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    {
      headers = {},
      payload,
    }: { readonly headers?: Readonly<Record<string, string>>; readonly payload?: string } = {},
  ): Promise<Answer> {
    const path = url.replace(origin, '');
    const sent = this.cookies.filter(
      (cookie) =>
        path === cookie.path || path.startsWith(`${cookie.path}/`) || path.startsWith(`${cookie.path}?`),
    );
    const cookie = sent.map(({ name, value }) => `${name}=${value}`).join('; ');
    const answer = await this.#server.inject({
      method,
      url: path,
      headers: { host: 'localhost:8080', ...(cookie === '' ? {} : { cookie }), ...headers },
      ...(payload === undefined ? {} : { payload }),
    });
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) this.#keep(line);
    return answer;
  }

  /** Opens an address, and follows where it leads on this server. */
  async open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    let answer = await this.send('GET', url, { headers });
    while (answer.statusCode === 303 && String(answer.headers.location).startsWith('/'))
      answer = await this.send('GET', String(answer.headers.location), { headers });
    return answer;
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ');
    const at = pair.indexOf('=');
    const path = attributes.find((one) => one.startsWith('Path='))?.slice(5) ?? '/';
    const cookie = { name: pair.slice(0, at), value: pair.slice(at + 1), path };
    this.cookies = this.cookies.filter((one) => one.name !== cookie.name || one.path !== path);
    if (!attributes.includes('Max-Age=0')) this.cookies = [...this.cookies, cookie];
  }
}

/** Makes a link that opens a page for somebody. */
export async function linkFor(
  world: World,
  who: Parameters<World['token']>[0],
  path = '/o/org_acme',
): Promise<string> {
  return (await world.as(who).call(createSignInLink, { body: { url: origin + path } })).url;
}

/** A browser in which somebody is signed in. */
export async function signedIn(
  { world, server }: { readonly world: World; readonly server: Server },
  who: Parameters<World['token']>[0],
): Promise<Browser> {
  const browser = new Browser(server);
  const answer = await browser.send('GET', await linkFor(world, who));
  if (answer.statusCode !== 303) throw new Error(`The link answers ${answer.statusCode}.`);
  return browser;
}
