import { reasonForStatus, reasonNamed } from '../errors/catalog.ts';
import { Problem, type Violation } from '../errors/problem.ts';
import { isRecord } from '../contract/values.ts';

/**
 * Converts an HTTP error response to a Problem. A response of another server gets the reason closest to its status. Messages are
 * cut at 2,000 characters.
 */
export function problemFromResponse(status: number, body: unknown, requestId?: string): Problem {
  const error = isRecord(body) && isRecord(body['error']) ? body['error'] : {};
  const reason = reasonNamed(error['reason']) ?? reasonForStatus(status);
  const message =
    typeof error['message'] === 'string'
      ? error['message'].slice(0, 2000)
      : `The server answered with HTTP status ${status}.`;
  return new Problem(reason, message, {
    hint: typeof error['hint'] === 'string' ? error['hint'] : undefined,
    violations: Array.isArray(error['violations']) ? error['violations'].filter(isViolation) : [],
    requestId: typeof error['requestId'] === 'string' ? error['requestId'] : requestId,
  });
}

function isViolation(value: unknown): value is Violation {
  return isRecord(value) && typeof value['path'] === 'string' && typeof value['message'] === 'string';
}
