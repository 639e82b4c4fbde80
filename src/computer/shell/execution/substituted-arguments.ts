import { decode } from '#computer/process/text.ts';
import type { Shell } from '../state/shell.ts';
import type { Found } from './lookup.ts';

/** Commands that read their operands as streams. */
const READERS: ReadonlySet<string> = new Set([
	...['cat', 'head', 'tail', 'nl', 'rev', 'cut', 'paste', 'join', 'comm', 'uniq', 'sort', 'shuf', 'tsort', 'wc'],
	...['fold', 'fmt', 'pr', 'expand', 'unexpand', 'column', 'numfmt', 'od', 'hexdump', 'strings', 'cmp', 'diff', 'less'],
	...['grep', 'egrep', 'fgrep', 'sed', 'sum', 'cksum', 'md5sum', 'sha1sum', 'sha224sum', 'sha256sum', 'sha384sum'],
	...['sha512sum', 'b2sum']
]);

/** Commands that only use the names of their arguments, or pass them on to others. */
const PASSES_ON: ReadonlySet<string> = new Set([
	...['echo', 'printf', 'test', '[', 'ls', 'env', 'nice', 'nohup', 'stdbuf', 'timeout', 'xargs']
]);

/** Builtins that read a file as a whole. */
const READ_FILES: ReadonlySet<string> = new Set(['.', 'source', 'history', 'hash']);

/** Programs that can open named pipes. */
const KNOWS_PIPES = /(?:^|[/ ])(?:bash|sh|node|python3?)$/;

/** Name of the program that runs a script, or the command's own name. */
function interpreterOf(shell: Shell, found: Found, name: string): string {
	if (found.kind !== 'file') return name;
	const [line = ''] = decode(shell.host.context.sync.readFile(found.path, 0, 128)).split('\n', 1);
	return /^#!\s*(\S*env\s+\S+|\S+)/.exec(line)?.[1] ?? '';
}

/**
 * Prepares the files of process substitutions for a command that receives them: as pipes if it reads them while they
 * are written, otherwise as files with the complete content.
 */
export async function prepareArguments(
	shell: Shell,
	found: Found,
	name: string,
	args: readonly string[]
): Promise<void> {
	const files = [...shell.host.substitutions.values()].filter(({ path }) => args.some((arg) => arg.includes(path)));
	if (files.length === 0 || found.kind === 'function') return;
	const isOwn = found.kind === 'builtin' || found.kind === 'utility';
	const base = name.slice(name.lastIndexOf('/') + 1);
	if (found.kind === 'builtin' ? !READ_FILES.has(base) : isOwn && PASSES_ON.has(base)) return;
	const interpreter = interpreterOf(shell, found, name);
	// A script without a `#!` line is run by this shell.
	if (interpreter === '') return;
	// Without shared memory, programs cannot wait for a pipe.
	const hasPipes = !isOwn && shell.host.context.volume !== undefined && KNOWS_PIPES.test(interpreter);
	for (const file of files) {
		const streams = isOwn && (file.access === 'read' ? READERS.has(base) : base === 'tee');
		if (hasPipes) file.serve();
		else if (!streams) await file.makeFile();
	}
}
