import { decode } from '../bytes.ts';

/** Id of the object that a tag points to; empty for a malformed tag. @param content of the tag */
export const taggedId = (content: Uint8Array): string => /^object ([0-9a-f]{40})/.exec(decode(content))?.[1] ?? '';
