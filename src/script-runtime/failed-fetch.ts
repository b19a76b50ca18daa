/** The response header that marks a failed request of a script in workerd. Its value is the encoded message. */
export const failedFetchHeader = 'docsctl-fetch-failed';
