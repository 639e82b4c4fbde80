import type { WireStat } from '#computer/abi/syscalls.ts';
import { decode } from '#computer/process/text.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { lstatOrNull } from '../../files/same-file.ts';
import { readWhole } from '../../input/whole-file.ts';
import type { Options } from '../../options.ts';

/** A file to compare. */
export interface Operand {
	name: string;
	/** Null for standard input, a device, or an absent file. */
	stat: WireStat | null;
	isAbsent: boolean;
}

export function operandOf(call: Call, options: Options, name: string): Operand {
	if (name === '-') return { name, stat: null, isAbsent: false };
	const { sync } = call.shell.host.context;
	const path = call.shell.path(name);
	const stat = options.has('no-dereference') ? lstatOrNull(sync, path) : sync.statOrNull(path);
	const isDevice = name.startsWith('/dev/') || call.shell.host.substitutions.has(path);
	return { name, stat, isAbsent: stat === null && !isDevice };
}

export const isDirectory = ({ stat }: Operand): boolean => stat?.kind === 'directory';
export const isLink = ({ stat }: Operand): boolean => stat?.kind === 'symlink';

/** Tells whether two operands are the same file, without reading it. */
export function isSameFile(one: Operand, other: Operand): boolean {
	if (one.name === '-' && other.name === '-') return true;
	if (!one.stat || !other.stat || one.stat.kind !== 'file') return false;
	return one.stat.inode === other.stat.inode && one.stat.device === other.stat.device;
}

/** Reads a file; one treated as empty has no text. @throws the error of reading it */
export async function textOf(call: Call, operand: Operand): Promise<string> {
	if (operand.isAbsent) return '';
	const { shell } = call;
	const bytes =
		operand.name === '-'
			? await shell.control.race(shell.descriptors.require(0).readAll())
			: await readWhole(shell, operand.name);
	return decode(bytes);
}

/** Name of a file's type in messages. */
export function kindText({ stat }: Operand): string {
	if (stat?.kind === 'file') return stat.size === 0 ? 'regular empty file' : 'regular file';
	if (stat?.kind === 'symlink') return 'symbolic link';
	return stat?.kind ?? 'character special file';
}
