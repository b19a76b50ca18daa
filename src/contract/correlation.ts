/** The header in which a client names what joins the audit events of its requests. */
export const correlationHeader = 'correlation-id';

/** Whether a text can join events: 8 to 64 letters, digits, dots, hyphens and underscores. */
export function isCorrelationId(text: string): boolean {
  return /^[\w.-]{8,64}$/.test(text);
}

/** Creates the ID that joins the audit events of one command. */
export function createCorrelationId(randomBytes: (count: number) => Uint8Array): string {
  return `run_${Buffer.from(randomBytes(12)).toString('hex')}`;
}
