import { reason } from '#computer/shell/execution/redirections.ts';
import type { BuiltIn, Call } from '#computer/shell/state/host.ts';
import { changedMode, modeText } from './modes.ts';

const shown = (mode: number) =>
	`0${(mode & 0o7777).toString(8).padStart(3, '0')} (${modeText({ kind: 'file', mode }).slice(1)})`;

interface Change {
	mode: string;
	recursive: boolean;
	/** `-v` reports each file, `-c` only changed ones. */
	tells: '' | 'all' | 'changed';
	quiet: boolean;
}

/** `chmod`. */
export const chmod: BuiltIn = async (call) => {
	const change: Change = { mode: '', recursive: false, tells: '', quiet: false };
	const operands: string[] = [];
	for (const arg of call.args) {
		const reference = /^--reference=(.*)$/.exec(arg)?.[1];
		if (reference !== undefined) {
			const stat = call.shell.host.context.sync.statOrNull(call.shell.path(reference));
			operands.unshift(((stat?.mode ?? 0) & 0o7777).toString(8));
		} else if (/^(-[Rvcf]+|--recursive|--verbose|--changes|--quiet|--silent)$/.test(arg)) {
			if (/^-\w*R|recursive/.test(arg)) change.recursive = true;
			if (/^-\w*v|verbose/.test(arg)) change.tells = 'all';
			if (/^-\w*c|changes/.test(arg)) change.tells = 'changed';
			if (/^-\w*f|quiet|silent/.test(arg)) change.quiet = true;
		} else if (arg !== '--') operands.push(arg);
	}
	const [mode, ...names] = operands;
	if (mode === undefined || names.length === 0) {
		await call.complain(mode === undefined ? 'missing operand' : `missing operand after '${mode}'`);
		return 1;
	}
	change.mode = mode;
	if (changedMode(0, mode, false) === null) {
		await call.complain(`invalid mode: '${mode}'`);
		return 1;
	}
	let status = 0;
	for (const name of names) status = (await one(call, name, change)) || status;
	return status;
};

async function one(call: Call, name: string, change: Change): Promise<number> {
	const { sync } = call.shell.host.context;
	const path = call.shell.path(name);
	const stat = sync.statOrNull(path);
	if (!stat) {
		if (!change.quiet) await call.complain(`cannot access '${name}': No such file or directory`);
		return 1;
	}
	const before = stat.mode & 0o7777;
	const isDirectory = stat.kind === 'directory';
	// Without `u`, `g`, `o` or `a` the umask's bits are left out.
	const bare = /(^|,)[-+=]/.test(change.mode) ? call.shell.umask : 0;
	const after = (changedMode(before, change.mode, isDirectory) ?? before) & ~(bare & ~before);
	try {
		if (after !== before) sync.chmod(path, after);
	} catch (error) {
		if (!change.quiet) await call.complain(`changing permissions of '${name}': ${reason(error)}`);
		return 1;
	}
	if (after !== before && change.tells !== '')
		await call.out(`mode of '${name}' changed from ${shown(before)} to ${shown(after)}\n`);
	else if (change.tells === 'all') await call.out(`mode of '${name}' retained as ${shown(after)}\n`);
	if (!isDirectory || !change.recursive) return 0;
	let status = 0;
	for (const entry of sync.readdir(path)) {
		if (entry.kind !== 'symlink')
			status = (await one(call, `${name.replace(/\/$/, '')}/${entry.name}`, change)) || status;
	}
	return status;
}
