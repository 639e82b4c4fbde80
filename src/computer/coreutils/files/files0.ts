import { open, reason } from '#computer/shell/execution/redirections.ts';
import { decode } from '#computer/process/text.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { FileStream } from '#computer/shell/streams/file-stream.ts';
import { shellEscaped, shellEscapedAlways as quoted } from '../shell-escape.ts';

/**
 * Reads the names from a file of `--files0-from`, each terminated by a NUL; `-` is standard input.
 *
 * @param fail called for each error, after it was reported
 */
export async function* namesOfFiles0(call: Call, list: string, fail: () => void): AsyncGenerator<string> {
	const { shell } = call;
	const complain = async (text: string) => {
		fail();
		await call.complain(text);
	};
	let text: string;
	try {
		if (list !== '-' && shell.host.context.sync.stat(shell.path(list)).kind === 'directory')
			return await complain(`${shellEscaped(list)}: read error: Is a directory`);
		const file = list === '-' ? shell.descriptors.require(0).retain() : open(shell, list, '<');
		try {
			text = decode(await shell.control.race(file.readAll()));
		} finally {
			file.release();
		}
	} catch (error) {
		return await complain(`cannot open ${quoted(list)} for reading: ${reason(error)}`);
	}
	const names = text.split('\0');
	if (names.at(-1) === '') names.pop();
	for (const [index, name] of names.entries()) {
		if (name === '-' && list === '-') await complain("when reading file names from stdin, no file name of '-' allowed");
		else if (name === '') await complain(`${shellEscaped(list)}:${index + 1}: invalid zero-length file name`);
		else yield name;
	}
}

/** Returns whether the standard input is a file of this name. */
export function isInputFile({ shell }: Call, name: string): boolean {
	if (name === '/dev/stdin') return true;
	const { sync } = shell.host.context;
	const input = shell.descriptors.get(0)?.stream;
	const stat = input instanceof FileStream ? sync.statOrNull(input.path) : null;
	return stat !== null && sync.statOrNull(shell.path(name))?.inode === stat.inode;
}
