import { defined, getOrInsert } from '../../../contract/values.ts';
import { sha256 } from '../../../content/hashing.ts';
import { specs } from '../../../content/generated/specification-rows.ts';
import type { IntegrationSource } from '../../../content/computed-source.ts';
import type { Services } from '../../../core/handler.ts';
import { RecentMap } from '../../../core/recent-map.ts';
import { spaces, type SpaceRow } from '../../../core/rows/spaces.ts';
import { findOne, type ReadTransaction } from '../../../core/store.ts';
import type { ScriptAnswer } from '../../../core/scripts.ts';
import { Problem } from '../../../errors/problem.ts';
import type { Recipient } from '../../integration-events/environment.ts';
import { deliverLive } from '../../integration-events/runs.ts';
import { listOnSpace } from '../../integration-events/targets.ts';
import {
  readDocumentAnswer,
  readRevisionAnswer,
  type AnsweredPage,
  type AnsweredRevision,
} from './read-answer.ts';

/** Time limit for all scripts of one response, in milliseconds. */
const timeLimit = 10_000;
/** Milliseconds after which a source is computed again, even if nothing that it depends on has changed. */
const maxAge = 5 * 60_000;
/** Maximum number of cached answers, and maximum size of each in bytes. */
const maxKept = 200;
const maxKeptBytes = 256 * 1024;

interface Kept {
  readonly at: number;
  readonly value: Promise<unknown>;
}
/** The cached answers, by the vault of their core. */
const kept = new WeakMap<object, RecentMap<Kept>>();

/** A source whose integration is installed on the space. */
interface Opened {
  readonly recipient: Recipient;
  readonly event: {
    readonly spaceId: string;
    readonly sourceId: string;
    readonly props: object;
    readonly dependencies: object;
  };
  /** A text that changes whenever anything changes that the pages depend on. */
  readonly version: string;
}

/** Computes the pages of integrations for one response, with one deadline for all of them. Pages that fail are left out. */
export class PageComputer {
  readonly #services: Services;
  readonly #space: Pick<SpaceRow, 'id' | 'organization'>;
  readonly #memory: RecentMap<Kept>;

  constructor(services: Services, space: Pick<SpaceRow, 'id' | 'organization'>) {
    const { signal } = services;
    const late = AbortSignal.timeout(timeLimit);
    this.#services = { ...services, signal: signal === undefined ? late : AbortSignal.any([signal, late]) };
    this.#space = space;
    this.#memory = getOrInsert(kept, services.vault, () => new RecentMap<Kept>(maxKept));
  }

  /** Computes the pages and files of a source. Returns undefined if its integration is not installed on the space, or fails. */
  async revision(source: IntegrationSource): Promise<AnsweredRevision | undefined> {
    return this.#compute('content_compute_revision', source, readRevisionAnswer);
  }

  async document(
    source: IntegrationSource,
  ): Promise<Pick<AnsweredPage, 'document' | 'markdown'> | undefined> {
    return this.#compute('content_compute_document', source, readDocumentAnswer);
  }

  async #compute<T>(
    type: string,
    source: IntegrationSource,
    read: (answer: ScriptAnswer) => T,
  ): Promise<T | undefined> {
    const opened = await this.#services.read((view) => open(view, this.#space, source));
    if (opened === undefined) return undefined;
    const { recipient, event, version } = opened;
    const key = sha256(JSON.stringify([type, this.#space.id, version]));
    const now = Date.parse(this.#services.now());
    const known = this.#memory.get(key);
    let value: Promise<T>;
    if (known !== undefined && now - known.at < maxAge) value = known.value as Promise<T>;
    else {
      const faultOf = (answer: ScriptAnswer): string | undefined => {
        try {
          read(answer);
          return undefined;
        } catch (error) {
          return (error as Error).message;
        }
      };
      const delivered = deliverLive(this.#services, recipient, { type, ...event }, undefined, faultOf);
      value = delivered.then(({ answer, error }) => {
        if (answer === undefined)
          throw new Problem('script-failed', error ?? 'Scripts of integrations are turned off.');
        if (answer.body.length > maxKeptBytes) this.#memory.delete(key);
        return read(answer);
      });
      this.#memory.set(key, { at: now, value });
    }
    try {
      return await value;
    } catch (error) {
      this.#memory.delete(key);
      if (error instanceof Problem) return undefined;
      throw error;
    }
  }
}

/**
 * Returns a text that changes whenever anything changes that the pages of a source depend on. Returns undefined if its
 * integration is not installed on the space.
 */
export async function versionOfSource(
  view: ReadTransaction,
  space: Pick<SpaceRow, 'id' | 'organization'>,
  source: IntegrationSource,
): Promise<string | undefined> {
  return (await open(view, space, source))?.version;
}

async function open(
  view: ReadTransaction,
  space: Pick<SpaceRow, 'id' | 'organization'>,
  { type, props, dependencies = {} }: IntegrationSource,
): Promise<Opened | undefined> {
  const [, name, sourceId = ''] = /^integration:([^:]+):(.+)$/.exec(type) ?? [];
  const recipient = (await listOnSpace(view, space)).find(({ integration }) => integration.id === name);
  if (recipient === undefined) return undefined;
  const { integration, installation, target } = recipient;
  const { contentSources = [] } = integration.looks as {
    contentSources?: readonly { id: string }[];
  };
  if (!contentSources.some(({ id }) => id === sourceId)) return undefined;
  const resolved: Record<string, unknown> = {};
  for (const [key, { ref }] of Object.entries(dependencies))
    resolved[key] = {
      ref,
      value: ref.kind === 'space' ? await spaceState(view, space, ref) : await specState(view, space, ref),
    };
  const event = { spaceId: space.id, sourceId, props, dependencies: resolved };
  return {
    recipient,
    event,
    version: JSON.stringify([
      integration.id,
      integration.version,
      integration.updatedAt,
      installation.updatedAt,
      target?.configuration,
      event,
    ]),
  };
}

async function spaceState(
  view: ReadTransaction,
  { organization }: Pick<SpaceRow, 'organization'>,
  ref: { space: string },
): Promise<object | null> {
  const row = await view.get(spaces, ref.space);
  if (row?.state !== 'live' || row.organization !== organization) return null;
  return { object: 'space', id: row.id, revision: row.revision };
}

async function specState(
  view: ReadTransaction,
  { organization }: Pick<SpaceRow, 'organization'>,
  ref: { spec: string },
): Promise<object | null> {
  const row = await findOne(view, specs, 'bySlug', [organization, ref.spec]);
  if (row === undefined) return null;
  const { id, slug, lastVersion } = row;
  return { object: 'openapi-spec', id, slug, ...defined({ lastVersion }) };
}
