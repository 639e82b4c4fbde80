/** A text as one word of any POSIX shell, whatever is in it: in single quotes. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
