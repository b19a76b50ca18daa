/** The most bytes of a file; ours, the official API takes 1 MB. */
export const maxFileSize = 10 * 1024 * 1024;
