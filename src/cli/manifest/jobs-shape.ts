import type { Shape } from '../../manifest/read/shape.ts';
import { formats } from '../../ingest/entry.ts';
import { roles, targets } from '../../ingest/mapping.ts';
import { redactKinds } from '../../ingest/redact/kinds.ts';
import { duplicateWays } from '../../ingest/send.ts';

const text = { kind: 'scalar', types: ['string'], minLength: 1 } as const satisfies Shape;
const word = (words: readonly string[]) =>
  ({ kind: 'scalar', types: ['string'], enum: words }) as const satisfies Shape;

const map: Shape = {
  kind: 'map',
  fields: {
    ...Object.fromEntries(targets.map((target) => [target, text])),
    attributes: { kind: 'mapOf', value: text, maxEntries: 100 },
  },
};

const conversations: Shape = {
  kind: 'map',
  fields: {
    files: { kind: 'oneOf', shapes: [text, { kind: 'list', item: text, minItems: 1, maxItems: 100 }] },
    format: word(formats),
    source: text,
    map,
    roles: { kind: 'mapOf', value: word(roles), maxEntries: 100 },
    redact: { kind: 'list', item: word(redactKinds) },
    onDuplicate: word(duplicateWays),
    idFrom: word(['content']),
    rejects: text,
  },
  required: ['files'],
};

/** The fields at the top of a manifest that are no kinds of resources. */
export const besideShapes: Readonly<Record<string, Shape>> = {
  jobs: { kind: 'map', fields: { conversations: { kind: 'list', item: conversations, maxItems: 100 } } },
};
