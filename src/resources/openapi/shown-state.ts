/**
 * Returns the state of a specification as people see it. In the API, one that was processed with errors is `complete`, with an
 * error; people want to know that it failed.
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
