import { SyscallError, type SyncSyscalls } from '#computer/abi/client.ts';
import { absolute } from '#computer/abi/paths.ts';

/** Exit codes of poppler: input cannot be opened, output cannot be opened, damaged or locked file, invalid options. */
export const CANNOT_OPEN = 1;
export const CANNOT_WRITE = 2;
export const REFUSED = 3;
export const WRONG_OPTIONS = 99;

/** Reads the PDF; prints why it cannot be opened and returns `null` otherwise. */
export function readInput(
	sync: SyncSyscalls,
	input: string,
	cwd: string,
	say: (text: string) => void
): Uint8Array | null {
	try {
		return sync.readFile(absolute(input, cwd));
	} catch (error) {
		if (!(error instanceof SyscallError)) throw error;
		say(`I/O Error: Couldn't open file '${input}': ${error.code}.`);
		return null;
	}
}
