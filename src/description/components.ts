import { type Operation, splitAccess } from '../contract/operation.ts';
import { catalog } from '../errors/catalog.ts';

const errors = {
  400: ['InvalidInput', 'The request is not valid'],
  401: ['Unauthenticated', 'The token is missing or not valid'],
  403: ['Forbidden', 'The token does not allow this'],
  404: ['NotFound', 'Not found, or not visible to this token'],
  409: ['Conflict', 'Not possible in the present state'],
  412: ['PreconditionFailed', 'If-Match or If-None-Match does not hold: it has changed, or exists already'],
  413: ['TooLarge', 'The body is too large'],
  415: ['UnsupportedMedia', 'The body is not JSON'],
  422: ['KeyReused', 'The Idempotency-Key was used for another request'],
  429: ['RateLimited', 'Too many requests; see Retry-After'],
} as const;

/** The error responses of an operation, with `canMatch` if it takes If-Match; `default` is for failures of the server. */
export function errorResponses(
  { access, method, body, paramNames }: Operation,
  canMatch: boolean,
): Record<string, object> {
  const level = splitAccess(access)[1];
  const can: Record<keyof typeof errors, boolean> = {
    400: true,
    401: level !== 'any',
    403: level !== 'any' && level !== 'caller',
    404: paramNames.length > 0,
    409: method !== 'GET',
    412: canMatch,
    413: body !== undefined,
    415: body !== undefined,
    422: method !== 'GET',
    429: true,
  };
  const known = Object.entries(errors).filter(([status]) => can[Number(status) as keyof typeof errors]);
  return {
    ...Object.fromEntries(
      known.map(([status, [name]]) => [status, { $ref: `#/components/responses/${name}` }]),
    ),
    default: { $ref: '#/components/responses/Failed' },
  };
}

const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'reason', 'requestId'],
      properties: {
        code: { type: 'integer', description: 'HTTP status' },
        message: { type: 'string', description: 'What happened' },
        reason: { type: 'string', enum: Object.keys(catalog) },
        hint: { type: 'string', description: 'What to do next' },
        violations: {
          type: 'array',
          items: {
            type: 'object',
            required: ['path', 'message'],
            properties: { path: { type: 'string' }, message: { type: 'string' } },
          },
        },
        requestId: { type: 'string' },
      },
    },
  },
};

function response(description: string): object {
  return { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };
}

/** The components that operations refer to: the error responses, the key of writes and the token. */
export const commonComponents = {
  securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
  parameters: {
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'A request that is repeated with the same key within 24 hours is carried out only once',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    },
    IfMatch: {
      name: 'If-Match',
      in: 'header',
      required: false,
      description:
        'Entity tags from the header ETag of GET. The change is made only if what it changes still has one of them; otherwise the answer is 412',
      schema: { type: 'string' },
    },
    IfNoneMatch: {
      name: 'If-None-Match',
      in: 'header',
      required: false,
      description:
        'The change is made only if nothing has these entity tags; with *, only if it does not exist',
      schema: { type: 'string' },
    },
  },
  responses: {
    ...Object.fromEntries(Object.values(errors).map(([name, description]) => [name, response(description)])),
    Failed: response('The server failed, or is stopping'),
  },
  schemas: { Error: errorSchema },
};
