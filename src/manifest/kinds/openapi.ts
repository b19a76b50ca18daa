import { setTimeout } from 'node:timers/promises';
import type { Static } from '../../contract/schema.ts';
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
import type { MapShape } from '../read/shape.ts';
import { bodyOf, onlyTrue } from './fields.ts';

type Spec = Static<typeof OpenAPISpec>;

const source = bodyOf(createSpec).source as MapShape;
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
      slug: { shape: bodyOf(createSpec).slug, create: 'only', required: true },
      source: {
        shape: { kind: 'map', fields: { url: source.fields['url']! }, required: ['url'] },
        create: 'also',
        call: 'source',
        read: ({ sourceURL }) => (sourceURL === undefined ? null : { url: sourceURL }),
      },
      text: {
        shape: source.fields['text']!,
        create: 'also',
        call: 'source',
        skipRefresh: true,
        equals: 'text',
        fetch: textOf,
        filePath: (text, name) => `specs/${name}.${text.trimStart().startsWith('{') ? 'json' : 'yaml'}`,
      },
      visibility: { shape: bodyOf(updateSpec).visibility },
      wait: {
        shape: onlyTrue,
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
    // The API knows a specification by its slug.
    list: listed,
    create: async (backend, _, { slug, ...fields }) =>
      bySlug(
        await backend.call(createSpec, {
          params: { organizationId: backend.organization },
          body: { slug: slug as string, source: sourceOf(fields) },
        }),
      ),
    calls: {
      source: {
        send: async (backend, at, fields) =>
          bySlug(
            await backend.call(replaceSpec, {
              params: paramsOf(backend, at),
              body: { source: sourceOf(fields) },
            }),
          ),
      },
      update: {
        send: async (backend, at, fields) =>
          bySlug(await backend.call(updateSpec, { params: paramsOf(backend, at), body: fields as never })),
      },
      wait: { send: (backend, at) => untilProcessed(backend, at, pause) },
    },
    remove: (backend, at) => backend.call(deleteSpec, { params: paramsOf(backend, at) }),
  });
}

/** A description of an API, fetched from an address or given as a file. */
export const openapi = openapiKind((milliseconds) => setTimeout(milliseconds));

async function listed(backend: Backend): Promise<Spec[]> {
  return (await backend.all(listSpecs, { params: { organizationId: backend.organization } })).map(bySlug);
}

/** The text of the latest version of one that is a text; a new one is not there until it is processed. */
async function textOf(backend: Backend, at: Located, stated: unknown): Promise<unknown> {
  const spec = (await backend.once('openapi', () => listed(backend))).find(({ slug }) => slug === at.id);
  if (spec === undefined || spec.sourceURL !== undefined) return null;
  if (stated !== undefined && spec.processingState !== 'complete') return notReadable;
  // One that was never processed well is sent again, and nobody can say what it is.
  if (spec.lastVersion === undefined) return stated === undefined ? notReadable : null;
  try {
    const { bytes } = (await backend.call(downloadSpec, {
      params: { ...paramsOf(backend, at), versionId: 'latest' },
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
  const spec = (await backend.once('openapi', () => listed(backend))).find(({ slug }) => slug === at.id);
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

async function untilProcessed(
  backend: Backend,
  at: Located,
  pause: (milliseconds: number) => Promise<unknown>,
): Promise<Spec> {
  for (let look = 0; look < looks; look++) {
    await backend.work('openapi');
    const spec = await backend.call(getSpec, { params: paramsOf(backend, at) });
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

function paramsOf(backend: Backend, { id }: Located) {
  return { organizationId: backend.organization, specSlug: id };
}
