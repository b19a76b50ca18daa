/** The header of an answer that stands for a failed request of a script in workerd. Its value is the encoded message. */
export const failedFetchHeader = 'docsctl-fetch-failed';
