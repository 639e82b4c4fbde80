/** Quotes a text as one word for any POSIX shell, in single quotes. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
