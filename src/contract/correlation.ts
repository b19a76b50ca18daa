/** The request header with the ID that the audit events of related requests share. */
export const correlationHeader = 'correlation-id';

/** Whether a text is a valid correlation ID: 8 to 64 letters, digits, dots, hyphens and underscores. */
export function isCorrelationId(text: string): boolean {
  return /^[\w.-]{8,64}$/.test(text);
}

/** Creates the correlation ID of one command. */
export function createCorrelationId(randomBytes: (count: number) => Uint8Array): string {
  return `run_${Buffer.from(randomBytes(12)).toString('hex')}`;
}
