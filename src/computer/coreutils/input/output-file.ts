import type { Call } from '#computer/shell/state/host.ts';
import { FileStream } from '#computer/shell/streams/file-stream.ts';
import type { OpenFile } from '#computer/shell/streams/open-file.ts';

const pathOf = (file: OpenFile | undefined) => (file?.stream instanceof FileStream ? file.stream.path : null);

/** Returns whether an operand (`-`: standard input) is the non-empty file that the output is written to. */
export function isOutputFile({ shell }: Call, name: string): boolean {
	const { sync } = shell.host.context;
	const output = pathOf(shell.descriptors.get(1));
	const input = name === '-' ? pathOf(shell.descriptors.get(0)) : shell.path(name);
	if (output === null || input === null) return false;
	const [from, to] = [sync.statOrNull(input), sync.statOrNull(output)];
	return from !== null && to !== null && from.inode === to.inode && from.size > 0;
}
