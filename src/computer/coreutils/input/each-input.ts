import { open } from '#computer/shell/execution/redirections.ts';
import type { Call } from '#computer/shell/state/host.ts';
import type { OpenFile } from '#computer/shell/streams/open-file.ts';
import { reason } from '#computer/shell/execution/redirections.ts';

/** Message for a file that cannot be read, in the wording of the command. */
export function unopened(call: Call, name: string, error: unknown): string {
	const text = error instanceof Error && !('code' in error) ? error.message : `${name}: ${reason(error)}`;
	const why = text.startsWith(`${name}: `) ? text.slice(name.length + 2) : text;
	if (why === 'Is a directory') return text;
	if (call.name === 'head' || call.name === 'tail' || call.name === 'fmt')
		return `cannot open '${name}' for reading: ${why}`;
	if (call.name === 'sort') return `cannot read: ${name}: ${why}`;
	if (call.name === 'rev') return `cannot open ${name}: ${why}`;
	if (call.name === 'strings') return `'${name}': ${why.replace(/^No such file or directory$/, 'No such file')}`;
	return call.name === 'sed' ? `can't read ${name}: ${why}` : text;
}

/** Message for a directory in place of a file, in the wording of the command. */
function isDirectory(call: Call, name: string): string {
	if (call.name === 'strings') return `Warning: '${name}' is a directory`;
	return /^(head|tail)$/.test(call.name) ? `error reading '${name}': Is a directory` : `${name}: Is a directory`;
}

/**
 * Opens each operand (`-` and none: stdin) for a filter. Errors are reported; returns the status.
 * @param begin called with each name that could be opened, including directories
 */
export async function eachInput(
	call: Call,
	names: readonly string[],
	use: (file: OpenFile, name: string) => Promise<void>,
	begin: (name: string) => Promise<void> = async () => {}
): Promise<number> {
	let status = 0;
	for (const name of names.length ? names : ['-']) {
		let file: OpenFile;
		try {
			file = name === '-' ? call.shell.descriptors.require(0).retain() : open(call.shell, name, '<');
			await begin(name);
			if (name !== '-' && call.shell.host.context.sync.statOrNull(call.shell.path(name))?.kind === 'directory') {
				await call.complain(isDirectory(call, name));
				status = 1;
				continue;
			}
		} catch (error) {
			await call.complain(unopened(call, name, error));
			status = 1;
			continue;
		}
		try {
			await use(file, name);
		} finally {
			file.release();
		}
	}
	return status;
}
