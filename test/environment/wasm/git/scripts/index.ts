import { basics } from './basics.ts';
import { committing } from './committing.ts';
import { looking } from './looking.ts';
import { replaying } from './replaying.ts';

/** Every script of the comparison, by theme. */
export const scripts: Record<string, string[]> = { ...basics, ...committing, ...replaying, ...looking };
