import { CHARACTER_TYPE, TYPE_BITS } from './file-types.ts';
import type { WireStat } from './syscalls.ts';

/** Kinds of entries without content: names through which processes connect while their computer runs. */
type SpecialKind = Extract<WireStat['kind'], 'fifo' | 'socket'>;

/** Returns whether the entry is a named pipe or a socket file, which are neither stored, shared nor read as files. */
export const isSpecialKind = (kind: WireStat['kind'] | null | undefined): kind is SpecialKind =>
	kind === 'fifo' || kind === 'socket';

/**
 * Returns whether the entry is a character device (`/dev/null`). It is read and written like a file, and only its mode
 * differs from one.
 */
export const isCharacterDevice = ({ mode }: Pick<WireStat, 'mode'>): boolean => (mode & TYPE_BITS) === CHARACTER_TYPE;

/** Returns whether a socket address is a name without a file, as in Linux: it begins with a NUL. */
export const isSocketName = (place: string): boolean => place.startsWith('\0');
