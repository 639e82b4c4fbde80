import { reason } from '#computer/shell/execution/redirections.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { UsageError, utility, type Options } from '../options.ts';
import { runProgram } from '../system/run-program.ts';
import { runSubshell } from '#computer/shell/execution/subshell.ts';
import { shellEscapedAlways as quoted } from '../shell-escape.ts';
import { backUp, backupOf } from './backup.ts';
import { modeOption } from './mode-option.ts';
import { lstatOrNull } from './same-file.ts';
import { placesOf } from './target.ts';

const SPECIFICATION =
	'd|directory m|mode= D v|verbose t|target-directory= T|no-target-directory p|preserve-timestamps C|compare c o|owner= ' +
	'g|group= s|strip strip-program= b backup=? S|suffix= Z|context=? preserve-context';

/** `install`: copies with a mode, or makes directories with `-d`. */
export const install = utility(SPECIFICATION, async (call, options) => {
	const mode = modeOption(options.get('m'), 0o755);
	if (options.has('d') && options.has('s'))
		throw new UsageError('the strip option may not be used when installing a directory', true);
	if (options.has('d') && options.has('t'))
		throw new UsageError('target directory not allowed when installing a directory', true);
	if (options.has('C') && options.has('p'))
		throw new UsageError('options --compare (-C) and --preserve-timestamps are mutually exclusive', true);
	if (options.has('C') && options.has('s'))
		throw new UsageError('options --compare (-C) and --strip are mutually exclusive', true);
	if (options.has('C') && (mode & ~0o777) !== 0)
		await call.complain('the --compare (-C) option is ignored when you specify a mode with non-permission bits');
	const operands = [...options.operands];
	if (operands.length === 0) throw new UsageError('missing file operand');
	let status = 0;
	if (options.has('d')) {
		for (const name of operands) status = (await makeDirectories(call, options, name, mode)) ? status : 1;
		return status;
	}
	const directory = options.has('t') ? options.get('t') : operands.length > 1 ? operands.at(-1) : undefined;
	if (options.has('D') && directory !== undefined) {
		const parent = options.has('t') ? directory : directory.replace(/\/*[^/]*\/*$/, '');
		if (parent !== '' && !(await makeDirectories(call, options, parent, 0o755))) return 1;
	}
	const places = placesOf(call, options, operands, { followsLink: true });
	if (typeof places === 'string') {
		await call.complain(places);
		return 1;
	}
	for (const { from, to } of places) {
		const problem = await installFile(call, options, from, to, mode);
		if (problem === null) continue;
		await call.complain(problem);
		status = 1;
	}
	return status;
});

/** Creates a directory and its parents, part by part: `a/..` creates `a`. False after an error was reported. */
async function makeDirectories(call: Call, options: Options, name: string, mode: number): Promise<boolean> {
	const { sync } = call.shell.host.context;
	let done = name.startsWith('/') ? '/' : '';
	const parts = name.split('/').filter((part) => part !== '');
	for (const [index, part] of parts.entries()) {
		done += `${done === '' || done.endsWith('/') ? '' : '/'}${part}`;
		const path = call.shell.path(done);
		try {
			if (sync.statOrNull(path)?.kind !== 'directory') {
				sync.mkdir(path, { mode: 0o755 });
				if (options.has('v')) await call.out(`install: creating directory ${quoted(done)}\n`);
			}
			if (index === parts.length - 1 && options.has('d')) sync.chmod(path, mode);
		} catch (error) {
			await call.complain(`cannot create directory ${quoted(name)}: ${reason(error)}`);
			return false;
		}
	}
	return true;
}

/** Installs a file. Returns the error, or null. */
async function installFile(
	call: Call,
	options: Options,
	from: string,
	to: string,
	mode: number
): Promise<string | null> {
	const { sync } = call.shell.host.context;
	const [source, destination] = [call.shell.path(from), call.shell.path(to)];
	try {
		const stat = sync.stat(source);
		if (stat.kind === 'directory') return `omitting directory ${quoted(from)}`;
		const there = lstatOrNull(sync, destination);
		if (there?.inode === stat.inode) return `${quoted(from)} and ${quoted(to)} are the same file`;
		if (there?.kind === 'directory') return `cannot overwrite directory ${quoted(to)} with non-directory`;
		if (options.has('C') && there && isSame(call, source, destination, mode)) return null;
		const backup = backupOf(call, options);
		const kept = there && backup ? backUp(sync, destination, backup) : null;
		if (there && kept === null) {
			sync.unlink(destination);
			if (options.has('v')) await call.out(`removed ${quoted(to)}\n`);
		}
		sync.writeFile(destination, sync.readFile(source), { mode: 0o600 });
		if (options.has('v'))
			await call.out(`${quoted(from)} -> ${quoted(to)}${kept === null ? '' : ` (backup: ${quoted(to + kept)})`}\n`);
		if (options.has('s') && !(await strip(call, options, to))) {
			sync.unlink(destination);
			return 'strip process terminated abnormally';
		}
		if (options.has('p')) sync.utimes(destination, stat.accessedMs, stat.modifiedMs);
		sync.chmod(destination, mode);
		return null;
	} catch (error) {
		return sync.statOrNull(source)
			? `cannot create regular file ${quoted(to)}: ${reason(error)}`
			: `cannot stat ${quoted(from)}: ${reason(error)}`;
	}
}

/** `-C`: tells whether the file already exists with that mode and content. */
function isSame(call: Call, source: string, destination: string, mode: number): boolean {
	const { sync } = call.shell.host.context;
	const [from, there] = [sync.stat(source), sync.lstat(destination)];
	// Special bits force a new copy, since a change of owner clears them.
	if (there.kind !== 'file' || (mode & ~0o777) !== 0 || (there.mode & 0o7777) !== mode || from.size !== there.size)
		return false;
	const [a, b] = [sync.readFile(source), sync.readFile(destination)];
	return a.every((byte, index) => byte === b[index]);
}

async function strip(call: Call, options: Options, name: string): Promise<boolean> {
	const words = [options.get('strip-program') ?? 'strip', name.startsWith('-') ? `./${name}` : name];
	return (await runSubshell(call.shell, (inner) => runProgram(call, inner, words, 'cannot run'))) === 0;
}
