/**
 * Returns the state of a specification for people. In the API, a specification that was processed with errors is `complete` with
 * an error; people see it as failed.
 */
export function shownState({
  processingState,
  lastProcessErrorCode,
}: {
  processingState: string;
  lastProcessErrorCode?: string;
}): string {
  return processingState === 'complete' && lastProcessErrorCode !== undefined ? 'failed' : processingState;
}
