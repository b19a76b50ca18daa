import { malformedAnswerProblem } from '../../client/malformed-answer.ts';
import { describeViolation, findViolationOfAnswer } from '../../contract/check.ts';
import type { Problem } from '../../errors/problem.ts';
import type { ServerAnswer } from './server-answers.ts';

/** Returns the Problem for the newest answer that does not match the schema of its operation; undefined if all match. */
export function findMalformedAnswer(answers: readonly ServerAnswer[], cause: unknown): Problem | undefined {
  for (const { operation, place, read } of answers) {
    const answer = read();
    const { schema } = operation.returns;
    if (answer === undefined || schema === undefined) continue;
    const found = findViolationOfAnswer(schema, answer.value);
    if (found === undefined) continue;
    return malformedAnswerProblem(operation, { place, fault: describeViolation(found), cause });
  }
  return undefined;
}
