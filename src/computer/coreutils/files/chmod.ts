import type { WireDirent } from '#computer/abi/syscalls.ts';
import { absence, reason } from '#computer/shell/execution/redirections.ts';
import type { BuiltIn, Call } from '#computer/shell/state/host.ts';
import { shellEscapedAlways as quoted } from '../shell-escape.ts';
import { UsageError, utility, type Options } from '../options.ts';
import { changedMode, modeText } from './modes.ts';

const shown = (mode: number) =>
	`${(mode & 0o7777).toString(8).padStart(4, '0')} (${modeText({ kind: 'file', mode }).slice(1)})`;

const SPECIFICATION = 'R|recursive v|verbose c|changes f|quiet|silent reference= preserve-root no-preserve-root';
/** A mode that removes bits and so looks like an option: `-w`, `-rwx`, `-u+x`. */
const MODE_OPTION = /^-(?:[rwxXstugoa0-7]|[-+=])[-rwxXstugoa0-7,+=]*$/;

/** `chmod`. */
export const chmod: BuiltIn = (call) => {
	const end = call.args.indexOf('--');
	const isMode = (arg: string, index: number) => (end < 0 || index < end) && arg !== '--' && MODE_OPTION.test(arg);
	const modes = call.args.filter(isMode);
	const args = call.args.filter((arg, index) => !isMode(arg, index));
	return utility(SPECIFICATION, (inner, options) => changeAll(inner, options, modes))({ ...call, args });
};

interface Change {
	mode: string;
	options: Options;
	/** The mode was given as an option: bits left unchanged because of the umask are reported. */
	isOption: boolean;
}

async function changeAll(call: Call, options: Options, modes: readonly string[]): Promise<number> {
	const { sync } = call.shell.host.context;
	const names = [...options.operands];
	const reference = options.get('reference');
	if (reference !== undefined && modes.length > 0) throw new UsageError('cannot combine mode and --reference options');
	const mode = modes.length > 0 ? modes.join(',') : reference === undefined ? names.shift() : undefined;
	if (names.length === 0) {
		const last = modes.length > 0 || mode === undefined ? call.args.at(-1) : mode;
		throw new UsageError(
			mode === undefined || last === undefined ? 'missing operand' : `missing operand after ${quoted(last)}`
		);
	}
	const from = reference === undefined ? null : sync.statOrNull(call.shell.path(reference));
	if (reference !== undefined && !from) {
		await call.complain(`failed to get attributes of ${quoted(reference)}: No such file or directory`);
		return 1;
	}
	const text = from ? (from.mode & 0o7777).toString(8).padStart(5, '0') : (mode ?? '');
	if (changedMode(0, text, false) === null) throw new UsageError(`invalid mode: ${quoted(text)}`, true);
	const change = { mode: text, options, isOption: modes.length > 0 };
	let status = 0;
	for (const name of names) {
		const isRoot = options.has('R') && options.last('preserve-root', 'no-preserve-root') === 'preserve-root';
		if (isRoot && call.shell.path(name) === '/') {
			const alias = name === '/' ? '' : " (same as '/')";
			await call.complain(`it is dangerous to operate recursively on ${quoted(name)}${alias}`);
			await call.complain('use --no-preserve-root to override this failsafe');
			status = 1;
		} else status = (await changeOne(call, name, change)) || status;
	}
	return status;
}

async function changeOne(call: Call, name: string, change: Change): Promise<number> {
	const { sync } = call.shell.host.context;
	const { options } = change;
	const path = call.shell.path(name);
	const complain = async (text: string): Promise<number> => {
		if (!options.has('f')) await call.complain(text);
		return 1;
	};
	const stat = sync.statOrNull(path);
	if (!stat) {
		const problem = isLink(call, path) ? `cannot operate on dangling symlink ${quoted(name)}` : null;
		const status = await complain(problem ?? `cannot access ${quoted(name)}: ${absence(sync, path)}`);
		if (options.has('v')) await call.out(`${quoted(name)} could not be accessed\n`);
		return status;
	}
	const before = stat.mode & 0o7777;
	const isDirectory = stat.kind === 'directory';
	const after = changedMode(before, change.mode, isDirectory, call.shell.umask) ?? before;
	try {
		if (after !== before) sync.chmod(path, after);
	} catch (error) {
		return complain(`changing permissions of ${quoted(name)}: ${reason(error)}`);
	}
	const report = options.last('v', 'c');
	if (after !== before && report !== undefined)
		await call.out(`mode of ${quoted(name)} changed from ${shown(before)} to ${shown(after)}\n`);
	else if (report === 'v') await call.out(`mode of ${quoted(name)} retained as ${shown(after)}\n`);
	let status = 0;
	const wanted = changedMode(before, change.mode, isDirectory) ?? before;
	if (change.isOption && (after & ~wanted) !== 0) {
		const letters = (mode: number) => modeText({ kind: 'file', mode }).slice(1);
		await call.complain(`${name}: new permissions are ${letters(after)}, not ${letters(wanted)}`);
		status = 1;
	}
	if (!isDirectory || !options.has('R')) return status;
	let entries: WireDirent[] = [];
	try {
		entries = sync.readdir(path);
	} catch (error) {
		status = await complain(`cannot read directory ${quoted(name)}: ${reason(error)}`);
	}
	for (const entry of entries) {
		if (entry.kind !== 'symlink')
			status = (await changeOne(call, `${name.replace(/\/$/, '')}/${entry.name}`, change)) || status;
	}
	return status;
}

function isLink(call: Call, path: string): boolean {
	try {
		return call.shell.host.context.sync.lstat(path).kind === 'symlink';
	} catch {
		// The file does not exist.
		return false;
	}
}
