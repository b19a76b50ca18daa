import { setTimeout } from 'node:timers/promises';
import type { AddressStatus, CheckedAddress } from '../../../client/check-addresses.ts';
import type { Static } from '../../../contract/schema.ts';
import { defined, plural } from '../../../contract/values.ts';
import type { Link } from '../../../resources/content/links/schemas.ts';
import { LinkCache } from '../../results/link-cache.ts';
import { openOutgoing } from '../../session/open-outgoing.ts';
import { createProgress } from '../../output/progress.ts';
import type { Session } from '../../session/session.ts';
import { refuseWithout } from '../../input/given-twice.ts';
import { readWholeNumber } from '../../input/whole-number.ts';
import { settingsFolder } from '../../settings/settings.ts';

/** The options for checking addresses of other servers. */
export interface ExternalOptions {
  readonly external?: boolean;
  readonly allowHost?: readonly string[];
  readonly maxAge?: string;
  readonly concurrency?: string;
  readonly delay?: string;
}

/** The number of addresses with each result. Each address counts once, even if several links lead to it. */
export type AddressStats = Readonly<Record<AddressStatus | 'total' | 'cached', number>>;

type LinkBody = Static<typeof Link>;

/** A link whose address was checked, with the status of the address and the reason if it is not ok. */
export type CheckedLink = Omit<LinkBody, 'status'> & {
  readonly status: LinkBody['status'] | AddressStatus;
  readonly problem?: string;
};

const hour = 60 * 60 * 1000;
/** Maximum age of cached good results, in milliseconds. */
const maxKept = 30 * 24 * hour;
const perHost = 2;
const timeout = 10_000;

/** Reads the options as numbers. @throws Problem(invalid-input) */
export function readExternalOptions(options: ExternalOptions) {
  const { external, allowHost, maxAge = '24', concurrency = '8', delay = '250' } = options;
  refuseWithout(['external', external], {
    allowHost,
    maxAge: options.maxAge,
    concurrency: options.concurrency,
    delay: options.delay,
  });
  return {
    hosts: allowHost,
    maxAge: readWholeNumber('--max-age', maxAge, { max: 720 }),
    concurrency: readWholeNumber('--concurrency', concurrency, { min: 1, max: 64 }),
    delay: readWholeNumber('--delay', delay, { max: 60_000 }),
  };
}

function isExternal({ href = '', status }: LinkBody): boolean {
  return status === 'ok' && /^(?:https?:)?\/\//i.test(href);
}

/** Checks the addresses of other servers in links, and sets the status of the links. */
export async function checkExternalLinks(
  session: Session,
  links: readonly LinkBody[],
  { hosts, maxAge, concurrency, delay }: ReturnType<typeof readExternalOptions>,
): Promise<{ links: CheckedLink[]; stats: AddressStats }> {
  const { runtime, terminal } = session;
  const { clock, signal, version, randomBytes } = runtime;
  const [{ checkAddresses }, send] = await Promise.all([
    import('../../../client/check-addresses.ts'),
    openOutgoing(session),
  ]);
  const now = clock();
  const cache = LinkCache.read(settingsFolder(runtime));
  const results = new Map<string, CheckedAddress>();
  const pending: string[] = [];
  const stats = { total: 0, ok: 0, broken: 0, unreachable: 0, skipped: 0, cached: 0 };
  for (const url of new Set(links.filter(isExternal).map(addressOf))) {
    stats.total++;
    if (maxAge > 0 && cache.isGood(url, now - maxAge * hour)) {
      results.set(url, { status: 'ok' });
      stats.cached++;
    } else pending.push(url);
  }
  const progress = createProgress(terminal, { label: 'checked', total: pending.length, clock });
  try {
    await checkAddresses(pending, {
      send,
      wait: (milliseconds) => setTimeout(milliseconds, undefined, { signal }),
      signal,
      hosts,
      concurrency,
      perHost,
      delay,
      timeout,
      userAgent: `docsctl/${version} (link check)`,
      onChecked: (url, checked) => {
        results.set(url, checked);
        if (checked.status !== 'skipped') cache.put(url, checked.status === 'ok', clock());
        progress.tick();
      },
    });
  } finally {
    progress.done();
    // Saved even after an interruption, so that the next run does not check these addresses again.
    cache.write(now - maxKept, randomBytes);
  }
  for (const { status } of results.values()) stats[status]++;
  return { links: links.map((link) => withResult(link, results)), stats };
}

/** Describes the number of addresses with each result. */
export function describeAddresses({ total, ok, broken, unreachable, skipped, cached }: AddressStats): string {
  const earlier = cached === 0 ? '' : ` (${cached} from an earlier run)`;
  return `${plural(total, 'address', 'addresses')}: ${ok} ok${earlier}, ${broken} broken, ${unreachable} unreachable, ${skipped} skipped`;
}

function withResult(link: LinkBody, results: ReadonlyMap<string, CheckedAddress>): CheckedLink {
  const checked = isExternal(link) ? results.get(addressOf(link)) : undefined;
  return checked === undefined
    ? link
    : { ...link, status: checked.status, ...defined({ problem: checked.reason }) };
}

/** Returns the address of a link without its anchor, because servers do not get anchors. */
function addressOf({ href = '' }: LinkBody): string {
  return (href.startsWith('//') ? `https:${href}` : href).replace(/#.*$/s, '');
}
