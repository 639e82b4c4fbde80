import type { BuiltIn } from '#computer/shell/state/host.ts';
import { ownership } from './ownership.ts';

/** `chgrp`. */
export const chgrp: BuiltIn = ownership('group', 'group');
