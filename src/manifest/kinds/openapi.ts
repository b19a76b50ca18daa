import { setTimeout } from 'node:timers/promises';
import { closed, Url, type Static } from '../../contract/schema.ts';
import { Problem } from '../../errors/problem.ts';
import {
  createSpec,
  deleteSpec,
  downloadSpec,
  getSpec,
  listSpecs,
  replaceSpec,
  updateSpec,
  type OpenAPISpec,
} from '../../resources/openapi/contract.ts';
import { kind, notReadable, type Backend, type Fields, type Kind, type Located } from '../kind.ts';
import type { FileAnswer } from '../../contract/file.ts';
import { callFor, listAll, onlyTrue, remove } from './fields.ts';

type Spec = Static<typeof OpenAPISpec>;

const body = createSpec.body.properties;
/** How often a specification is looked at until it is processed, with pauses of up to two seconds: four minutes. */
const looks = 125;

/** The kind of OpenAPI specifications; `pause` takes milliseconds. */
export function openapiKind(pause: (milliseconds: number) => Promise<unknown>): Kind {
  return kind<Spec>({
    name: 'openapi',
    slots: [{ field: 'openapi', as: 'map' }],
    nameField: 'slug',
    keys: [['slug']],
    fields: {
      slug: { schema: body.slug, create: 'only', required: true },
      source: {
        schema: closed({ url: Url }),
        create: 'also',
        call: 'source',
        read: ({ sourceURL }) => (sourceURL === undefined ? null : { url: sourceURL }),
      },
      text: {
        schema: body.source.properties.text,
        create: 'also',
        call: 'source',
        skipRefresh: true,
        equals: 'text',
        fetch: textOf,
        filePath: (text, name) => `specs/${name}.${text.trimStart().startsWith('{') ? 'json' : 'yaml'}`,
      },
      visibility: { schema: updateSpec.body.properties.visibility },
      wait: {
        schema: onlyTrue,
        call: 'wait',
        default: true,
        triggers: ['source', 'text'],
        fetch: isWaitedFor,
      },
    },
    check: (stated, fault) => {
      if (stated.has('source') && stated.has('text'))
        fault('text', 'a specification comes from a url or is a text, not both; leave one of the two out');
    },
    atCreation: (_, fault, has) => {
      if (has !== undefined && !has('source') && !has('text'))
        fault('needs "source: { url: … }" or "text: !file …" to be made');
      return {};
    },
    list: listSlugs,
    create: async (backend, _, { slug, ...fields }) =>
      bySlug(await callFor(backend, createSpec, undefined, { slug, source: sourceOf(fields) })),
    calls: {
      source: {
        send: async (backend, at, fields) =>
          bySlug(await callFor(backend, replaceSpec, at, { source: sourceOf(fields) })),
      },
      update: {
        send: async (backend, at, fields) => bySlug(await callFor(backend, updateSpec, at, fields)),
      },
      wait: { send: (backend, at) => waitUntilProcessed(backend, at, pause) },
    },
    remove: remove(deleteSpec),
  });
}

/** A description of an API, fetched from an address or given as a file. */
export const openapi = openapiKind((milliseconds) => setTimeout(milliseconds));

async function listSlugs(backend: Backend): Promise<Spec[]> {
  return (await listAll(listSpecs)(backend)).map(bySlug);
}

async function specAt(backend: Backend, { id }: Located): Promise<Spec | undefined> {
  return (await backend.once('openapi', () => listSlugs(backend))).find(({ slug }) => slug === id);
}

/** The text of the latest version of one that is a text; a new one is not there until it is processed. */
async function textOf(backend: Backend, at: Located, stated: unknown): Promise<unknown> {
  const spec = await specAt(backend, at);
  if (spec === undefined || spec.sourceURL !== undefined) return null;
  if (stated !== undefined && spec.processingState !== 'complete') return notReadable;
  // One that was never processed well is sent again, and nobody can say what it is.
  if (spec.lastVersion === undefined) return stated === undefined ? notReadable : null;
  try {
    const { bytes } = (await backend.call(downloadSpec, {
      params: { organizationId: backend.organization, specSlug: at.id, versionId: 'latest' },
    })) as FileAnswer;
    return Buffer.from(bytes).toString();
  } catch (error) {
    if (
      !(error instanceof Problem) ||
      !['not-implemented', 'method-not-allowed', 'not-found'].includes(error.reason)
    )
      throw error;
    if (stated !== undefined) return notReadable;
    throw new Problem('not-implemented', error.message, { cause: error });
  }
}

/** While one is processed, by whomever it was sent, the lock says whether this manifest has waited for its own. */
async function isWaitedFor(backend: Backend, at: Located, stated: unknown): Promise<unknown> {
  if (stated === undefined) return null;
  const spec = await specAt(backend, at);
  return spec?.processingState === 'complete' ? true : notReadable;
}

function bySlug(body: Spec): Spec {
  return { ...body, id: body.slug };
}

function sourceOf({ source: from, text }: Fields): { url: string } | { text: string } {
  if (typeof text === 'string') return { text };
  if (from !== undefined) return from as { url: string };
  throw new Problem('invalid-input', 'A new specification comes from somewhere.', {
    hint: 'State "source: { url: … }" or "text: !file …".',
  });
}

async function waitUntilProcessed(
  backend: Backend,
  at: Located,
  pause: (milliseconds: number) => Promise<unknown>,
): Promise<Spec> {
  for (let look = 0; look < looks; look++) {
    await backend.work('openapi');
    const spec = await callFor(backend, getSpec, at);
    if (spec.processingState === 'complete') return accepted(spec);
    await pause(Math.min(2000, 100 * 2 ** look));
  }
  throw new Problem('timed-out', `The specification ${at.id} is still being processed.`, {
    hint: 'Run apply again to go on waiting.',
  });
}

function accepted(spec: Spec): Spec {
  const { slug, lastProcessErrorCode, lastProcessedErrors = [] } = spec;
  if (lastProcessErrorCode === undefined) return bySlug(spec);
  const [first] = lastProcessedErrors;
  throw new Problem(
    'invalid-input',
    `The specification ${slug} could not be processed: ${lastProcessErrorCode}${first === undefined ? '' : `, ${first.message}`}.`,
    {
      hint: `Look at it: docsctl openapi get ${slug}`,
      violations: lastProcessedErrors.slice(0, 20).map(({ message }) => ({ path: slug, message })),
    },
  );
}
