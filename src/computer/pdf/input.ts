import { SyscallError, type SyncSyscalls } from '#computer/abi/client.ts';
import { absolute } from '#computer/abi/paths.ts';

/** Exit codes of poppler: a file that cannot be opened, a result that cannot be, a damaged or locked file, wrong options. */
export const CANNOT_OPEN = 1;
export const CANNOT_WRITE = 2;
export const REFUSED = 3;
export const WRONG_OPTIONS = 99;

/** Reads the PDF; `null` after saying why it cannot be opened. */
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
