import type { Services } from '../core/handler.ts';
import { RecentMap } from '../core/recent-map.ts';
import type { Recipient } from '../resources/integration-events/environment.ts';
import { deliverLive } from '../resources/integration-events/runs.ts';
import type { SiteScript } from './site-scripts.ts';

/** Milliseconds: `kept`: a script is cached; `failed`: a failed attempt is not repeated; `limit`: maximum time of an attempt. */
const times = { kept: 5 * 60_000, failed: 30_000, limit: 10_000 };
const maxKept = 100;
/** Maximum size of a script, in bytes. */
const maxBytes = 1024 * 1024;
const noScript = Buffer.from('/** no-op */\n');

/** Caches the scripts of integrations for a few minutes. */
export class ScriptCache {
  readonly #kept = new RecentMap<{ readonly bytes: Promise<Uint8Array>; until: number }>(maxKept);

  /** Returns a script; an empty one if the integration fails. It never rejects. */
  get(services: Services, siteId: string, { name, recipient }: SiteScript): Promise<Uint8Array> {
    const now = Date.parse(services.now());
    const key = `${siteId} ${name}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined && kept.until > now) return kept.bytes;
    const entry = { bytes: fetchScript(services, recipient, siteId), until: now + times.kept };
    this.#kept.set(key, entry);
    void entry.bytes.then((bytes) => {
      if (bytes === noScript) entry.until = now + times.failed;
    });
    return entry.bytes;
  }
}

async function fetchScript(services: Services, recipient: Recipient, siteId: string): Promise<Uint8Array> {
  try {
    const signal = AbortSignal.timeout(times.limit);
    const event = { type: 'fetch_published_script', siteId };
    const { answer } = await deliverLive({ ...services, signal }, recipient, event);
    if (answer === undefined || answer.status < 200 || answer.status > 299) return noScript;
    return answer.body.length > maxBytes ? noScript : Buffer.from(answer.body);
  } catch {
    // The event of the integration contains the error.
    return noScript;
  }
}
