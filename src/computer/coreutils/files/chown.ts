import type { BuiltIn } from '#computer/shell/state/host.ts';
import { ownership } from './ownership.ts';

/** `chown`: only to the existing user; others are not permitted, as without root. */
export const chown: BuiltIn = ownership('ownership', 'user');
