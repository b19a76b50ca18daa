/** Maximum size of a file in bytes. The official API accepts only 1 MB. */
export const maxFileSize = 10 * 1024 * 1024;
