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
type Pause = (milliseconds: number) => Promise<unknown>;

const body = createSpec.body.properties;
const { visibility } = updateSpec.body.properties;
/** With pauses of up to two seconds, the processing of a specification may take four minutes. */
const maxLooks = 125;

/** Creates the kind of OpenAPI specifications. Tests pass another `pause`. */
export function openapiKind(pause: Pause): Kind {
  return kind<Spec>({
    name: 'openapi',
    description: 'A description of an API, fetched from an address or given as a file.',
    example: `
openapi:
  billing:
    source: { url: "https://example.com/openapi.json" }
    visibility: public
    wait: true
`,
    slots: [{ field: 'openapi', as: 'map' }],
    nameField: 'slug',
    keys: [['slug']],
    fields: {
      slug: { schema: body.slug, create: 'only', required: true, distinct: true },
      source: {
        schema: closed(
          { url: { ...Url, description: 'address of the specification' } },
          { description: 'where the specification is fetched from; use this or text' },
        ),
        create: 'also',
        call: 'source',
        read: ({ sourceURL }) => (sourceURL === undefined ? null : { url: sourceURL }),
      },
      text: {
        schema: {
          ...body.source.properties.text,
          description: 'the specification itself, usually !file openapi.yaml',
        },
        create: 'also',
        call: 'source',
        skipRefresh: true,
        equals: 'text',
        fetch: fetchText,
        filePath: (text, name) => `specs/${name}.${text.trimStart().startsWith('{') ? 'json' : 'yaml'}`,
      },
      visibility: { schema: { ...visibility, description: `${visibility.description} (default: private)` } },
      wait: {
        schema: onlyTrue(
          'true: apply waits until the specification is processed, and fails if it is not valid',
        ),
        call: 'wait',
        default: true,
        triggers: ['source', 'text'],
        fetch: fetchWait,
      },
    },
    check: (stated, fault) => {
      if (stated.has('source') && stated.has('text'))
        fault('text', 'a specification cannot have both "source" and "text"; remove one of the two');
    },
    atCreation: (_, fault, has) => {
      if (has !== undefined && !has('source') && !has('text'))
        fault('a new specification needs "source: { url: … }" or "text: !file …"');
      return {};
    },
    list: listBySlug,
    create: async (backend, _, { slug, ...fields }) =>
      bySlug(await callFor(backend, createSpec, undefined, { slug, source: sourceOf(fields) })),
    calls: {
      source: {
        send: async (backend, at, fields) =>
          bySlug(await callFor(backend, replaceSpec, at, { source: sourceOf(fields) })),
      },
      update: { send: async (backend, at, fields) => bySlug(await callFor(backend, updateSpec, at, fields)) },
      wait: { send: (backend, at) => waitUntilProcessed(backend, at, pause) },
    },
    remove: remove(deleteSpec),
  });
}

/** A description of an API, fetched from a URL or taken from a file. */
export const openapi = openapiKind((milliseconds) => setTimeout(milliseconds));

async function listBySlug(backend: Backend): Promise<Spec[]> {
  return (await listAll(listSpecs)(backend)).map(bySlug);
}

/** The API identifies a specification by its slug. */
function bySlug(spec: Spec): Spec {
  return { ...spec, id: spec.slug };
}

async function specAt(backend: Backend, { id }: Located): Promise<Spec | undefined> {
  return (await backend.once('openapi', () => listBySlug(backend))).find(({ slug }) => slug === id);
}

/** Reads the latest version of a specification with a text. A new version appears after it is processed. */
async function fetchText(backend: Backend, at: Located, stated: unknown): Promise<unknown> {
  const spec = await specAt(backend, at);
  if (spec === undefined || spec.sourceURL !== undefined) return null;
  if (stated !== undefined && spec.processingState !== 'complete') return notReadable;
  // Without a version, the text is unknown. An apply sends it again.
  if (spec.lastVersion === undefined) return stated === undefined ? notReadable : null;
  try {
    const params = { organizationId: backend.organization, specSlug: at.id, versionId: 'latest' };
    const { bytes }: FileAnswer = await backend.call(downloadSpec, { params });
    return Buffer.from(bytes).toString();
  } catch (error) {
    const isAbsent =
      error instanceof Problem &&
      ['not-implemented', 'method-not-allowed', 'not-found'].includes(error.reason);
    if (!isAbsent) throw error;
    if (stated !== undefined) return notReadable;
    throw new Problem('not-implemented', error.message, { cause: error });
  }
}

/** While a specification is processed, the state shows whether an apply of this manifest has waited for it. */
async function fetchWait(backend: Backend, at: Located, stated: unknown): Promise<unknown> {
  if (stated === undefined) return null;
  return (await specAt(backend, at))?.processingState === 'complete' ? true : notReadable;
}

function sourceOf({ source, text }: Fields): unknown {
  if (typeof text === 'string') return { text };
  if (source !== undefined) return source;
  throw new Problem('invalid-input', 'A new specification needs "source" or "text".', {
    hint: 'State "source: { url: … }" or "text: !file …".',
  });
}

/** @throws Problem(timed-out) after four minutes, or Problem(invalid-input) if the specification is not accepted. */
async function waitUntilProcessed(backend: Backend, at: Located, pause: Pause): Promise<Spec> {
  for (let look = 0; look < maxLooks; look++) {
    await backend.work('openapi');
    const spec = await callFor(backend, getSpec, at);
    if (spec.processingState === 'complete') return checkProcessed(spec);
    await pause(Math.min(2000, 100 * 2 ** look));
  }
  throw new Problem('timed-out', `The specification ${at.id} is still being processed.`, {
    hint: 'Run apply again to keep waiting.',
  });
}

function checkProcessed(spec: Spec): Spec {
  const { slug, lastProcessErrorCode, lastProcessedErrors = [] } = spec;
  if (lastProcessErrorCode === undefined) return bySlug(spec);
  const why = [lastProcessErrorCode, ...lastProcessedErrors.slice(0, 1).map(({ message }) => message)];
  throw new Problem('invalid-input', `The specification ${slug} could not be processed: ${why.join(', ')}.`, {
    hint: `Run \`docsctl openapi get ${slug}\` to see it.`,
    violations: lastProcessedErrors.slice(0, 20).map(({ message }) => ({ path: slug, message })),
  });
}
