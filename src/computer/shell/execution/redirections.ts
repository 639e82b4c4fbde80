import { printWord } from '../ast/print.ts';
import type { HereDocument, PartOf, Redirection, Word } from '../ast/nodes.ts';
import { processInput, processOutput } from '../expansion/process-substitution.ts';
import { expandToText, expandWords } from '../expansion/word.ts';
import type { Shell } from '../state/shell.ts';
import { FileStream } from '../streams/file-stream.ts';
import { namedPipeStream } from '../streams/named-pipe-stream.ts';
import { BadDescriptor, OpenFile } from '../streams/open-file.ts';
import { bytesStream, endlessStream, fullStream, nullOutput, nullStream } from '../streams/simple-streams.ts';
import { isCharacterDevice } from '#computer/abi/special-files.ts';
import type { SyncSyscalls } from '#computer/abi/client.ts';
import { encode } from '#computer/process/text.ts';
import { complain } from './script.ts';

/** Redirection that cannot be performed; the message goes to stderr and the command is not run. */
class RedirectionFailed extends Error {}

/** Applies redirections to the shell's descriptors. Returns false (with a message) if one fails. */
export async function redirect(shell: Shell, redirections: readonly Redirection[]): Promise<boolean> {
	for (const redirection of redirections) {
		try {
			await apply(shell, redirection);
		} catch (error) {
			if (!(error instanceof RedirectionFailed) && !(error instanceof BadDescriptor)) throw error;
			complain(shell, error.message);
			return false;
		}
	}
	return true;
}

async function apply(shell: Shell, redirection: Redirection): Promise<void> {
	const { operator, target } = redirection;
	if (target.type === 'HereDocument' || operator === '<<<') {
		const word = target.type === 'HereDocument' ? target.content : target;
		if (target.type === 'HereDocument' && target.fault) complainOfDocument(shell, target.fault);
		const text = (await expandToText(shell, word)) + (operator === '<<<' ? '\n' : '');
		const number = redirection.fdVariable ? shell.descriptors.free(10) : (redirection.fd ?? 0);
		if (redirection.fdVariable) shell.variables.set(redirection.fdVariable, String(number));
		shell.descriptors.set(number, new OpenFile(bytesStream(encode(text))));
		return;
	}
	const process = target.parts.length === 1 ? target.parts[0] : undefined;
	if (process?.type === 'ProcessSubstitution' && process.direction === (operator === '<' ? '<' : '>')) {
		return applyProcess(shell, redirection, process);
	}
	const words = await targetWords(shell, target);
	const [text] = words;
	if (words.length !== 1 || text === undefined) throw new RedirectionFailed(`${printWord(target)}: ambiguous redirect`);
	const number = redirection.fdVariable
		? shell.descriptors.free(10)
		: (redirection.fd ?? (operator.startsWith('<') ? 0 : 1));
	if (redirection.fdVariable) {
		if (text === '-') return shell.descriptors.close(Number(shell.variables.get(redirection.fdVariable)));
		shell.variables.set(redirection.fdVariable, String(number));
	}
	if (operator === '>&' || operator === '<&') return duplicate(shell, redirection, number, text, printWord(target));
	if (operator === '&>' || operator === '&>>')
		return both(shell, await opened(shell, open(shell, text, operator === '&>' ? '>' : '>>')));
	shell.descriptors.set(number, await opened(shell, open(shell, text, operator)));
}

/** Applies `< <(script)` and `> >(script)`, `&> >(script)` and similar, for which no file is created. */
async function applyProcess(
	shell: Shell,
	{ operator, fd, fdVariable }: Redirection,
	{ body }: PartOf<'ProcessSubstitution'>
): Promise<void> {
	const isInput = operator === '<';
	const number = fdVariable ? shell.descriptors.free(10) : (fd ?? (isInput ? 0 : 1));
	const file = await (isInput ? processOutput(shell, body) : processInput(shell, body));
	if (fdVariable) shell.variables.set(fdVariable, String(number));
	if (operator.startsWith('&') || (operator === '>&' && fd === null)) both(shell, file);
	else shell.descriptors.set(number, file);
}

/** Expands the target of a redirection. In a script, POSIX mode does not split words or expand file names there. */
export async function targetWords(shell: Shell, target: Word): Promise<string[]> {
	if (!shell.options.posix || shell.interactive) return expandWords(shell, [target]);
	return [await expandToText(shell, target)];
}

/** Waits until the other end of a named pipe is open, as a shell does before it runs the command. */
async function opened(shell: Shell, file: OpenFile): Promise<OpenFile> {
	if (!file.stream.opened) return file;
	try {
		await shell.control.race(file.stream.opened);
	} catch (error) {
		file.release();
		throw error;
	}
	return file;
}

/** Reports a here-document that cannot be expanded, which then is empty. */
function complainOfDocument(shell: Shell, fault: NonNullable<HereDocument['fault']>): void {
	const { line } = shell;
	shell.line = fault.line;
	shell.complain(fault.message, 'command substitution');
	shell.line = line;
}

function duplicate(shell: Shell, redirection: Redirection, number: number, text: string, written: string): void {
	if (text === '-') return shell.descriptors.close(number);
	const [, source, moved] = /^(\d+)(-?)$/.exec(text) ?? [];
	if (source === undefined) {
		// `>&file` is an older form of `&>file`.
		if (redirection.operator === '>&' && (redirection.fd ?? 1) === 1) return both(shell, open(shell, text, '>'));
		throw new RedirectionFailed(`${text}: ambiguous redirect`);
	}
	const file = shell.descriptors.get(Number(source));
	if (!file) throw new RedirectionFailed(`${written}: Bad file descriptor`);
	shell.descriptors.set(number, file.retain());
	if (moved) shell.descriptors.close(Number(source));
}

function both(shell: Shell, file: OpenFile): void {
	shell.descriptors.set(1, file);
	shell.descriptors.set(2, file.retain());
}

/** Opens the target of a redirection: a file, or one of the devices a shell knows. */
export function open(shell: Shell, text: string, operator: string): OpenFile {
	if (shell.restricted && operator !== '<') throw new RedirectionFailed(`${text}: restricted: cannot redirect output`);
	const device = openDevice(shell, text, operator);
	if (device) return device;
	const { sync } = shell.host.context;
	const most = shell.limits.get('n')?.soft ?? Infinity;
	if (shell.descriptors.free(0) >= most) throw new RedirectionFailed(`${text}: Too many open files`);
	const path = shell.path(text);
	const substituted = shell.host.substitutions.get(path)?.open();
	if (substituted) shell.openedPipes?.push(substituted.stream);
	if (substituted) return substituted;
	const mode = { mode: 0o666 & ~shell.umask };
	const stat = sync.statOrNull(path);
	if (stat?.kind === 'directory' && operator !== '<') throw new RedirectionFailed(`${text}: Is a directory`);
	if (stat && stat.kind !== 'directory' && !(stat.mode & (operator === '<' ? 0o400 : 0o200)))
		throw new RedirectionFailed(`${text}: Permission denied`);
	// The only device of the volume, by the name of a link to it.
	if (stat && isCharacterDevice(stat)) return openNull(operator);
	if (stat?.kind === 'fifo') {
		const access = operator === '<' ? 'read' : operator === '<>' ? 'both' : 'write';
		return new OpenFile(namedPipeStream(shell.host.context, path, access));
	}
	if (operator === '<') {
		if (!stat) throw new RedirectionFailed(`${text}: ${absence(sync, path)}`);
		return new OpenFile(new FileStream(sync, path, 'read'));
	}
	try {
		if (operator === '>>') {
			if (!stat) sync.writeFile(path, new Uint8Array(), mode);
			return new OpenFile(new FileStream(sync, path, 'append'));
		}
		if (operator === '<>') {
			if (!stat) sync.writeFile(path, new Uint8Array(), mode);
			return new OpenFile(new FileStream(sync, path, 'both'));
		}
		if (operator === '>' && stat && shell.options.noclobber)
			throw new RedirectionFailed(`${text}: cannot overwrite existing file`);
		if (stat) sync.truncate(path, 0);
		else sync.writeFile(path, new Uint8Array(), mode);
	} catch (error) {
		if (error instanceof RedirectionFailed) throw error;
		throw new RedirectionFailed(`${text}: ${reason(error)}`);
	}
	return new OpenFile(new FileStream(sync, path, 'write'));
}

/** Reason why a path cannot be found. */
export function absence(sync: SyncSyscalls, path: string): string {
	try {
		sync.stat(path);
	} catch (error) {
		return reason(error);
	}
	return 'No such file or directory';
}

const openNull = (operator: string): OpenFile => new OpenFile(operator.startsWith('>') ? nullOutput : nullStream);

function openDevice(shell: Shell, path: string, operator: string): OpenFile | null {
	switch (path) {
		case '/dev/null':
			return openNull(operator);
		case '/dev/zero':
			return new OpenFile(endlessStream(() => {}));
		case '/dev/full':
			return new OpenFile(fullStream);
		case '/dev/random':
		case '/dev/urandom':
			return new OpenFile(endlessStream((bytes) => crypto.getRandomValues(bytes)));
		case '/dev/tty':
			return new OpenFile({ ...shell.host.standard.output, read: shell.host.standard.input.read });
	}
	const names: Record<string, number> = { '/dev/stdin': 0, '/dev/stdout': 1, '/dev/stderr': 2 };
	const number = names[path] ?? Number(/^\/dev\/fd\/(\d+)$/.exec(path)?.[1] ?? NaN);
	return Number.isNaN(number) ? null : shell.descriptors.require(number).retain();
}

/** POSIX message for a failure. */
export function reason(error: unknown): string {
	const code = error instanceof Error && 'code' in error ? String(error.code) : '';
	return REASONS[code] ?? (error instanceof Error ? error.message : String(error));
}

const REASONS: Record<string, string> = {
	ENOENT: 'No such file or directory',
	EISDIR: 'Is a directory',
	ENOTDIR: 'Not a directory',
	EACCES: 'Permission denied',
	EPERM: 'Operation not permitted',
	EEXIST: 'File exists',
	ENOSPC: 'No space left on device',
	EFBIG: 'File too large',
	ENOTEMPTY: 'Directory not empty',
	EROFS: 'Read-only file system',
	ENAMETOOLONG: 'File name too long',
	ELOOP: 'Too many levels of symbolic links',
	ESPIPE: 'Illegal seek',
	ENXIO: 'No such device or address',
	ESRCH: 'No such process',
	EINVAL: 'Invalid argument',
	EXDEV: 'Invalid cross-device link'
};
