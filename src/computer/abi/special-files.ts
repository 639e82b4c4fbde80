import { CHARACTER_TYPE, TYPE_BITS } from './file-types.ts';
import type { WireStat } from './syscalls.ts';

/** Kinds of entries without content: names at which programs meet while their computer runs. */
type SpecialKind = Extract<WireStat['kind'], 'fifo' | 'socket'>;

/** Detects a named pipe or a socket file, which are neither stored, shared nor read as files. */
export const isSpecialKind = (kind: WireStat['kind'] | null | undefined): kind is SpecialKind =>
	kind === 'fifo' || kind === 'socket';

/** Detects a device of characters, `/dev/null`. It is read and written as a file is, and of that kind but for its mode. */
export const isCharacterDevice = ({ mode }: Pick<WireStat, 'mode'>): boolean => (mode & TYPE_BITS) === CHARACTER_TYPE;

/** Detects the place of a socket that is a name without a file, as in Linux: it begins with a NUL. */
export const isSocketName = (place: string): boolean => place.startsWith('\0');
