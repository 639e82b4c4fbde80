import { quoteWord } from '../expansion/quote.ts';
import { findCommand } from '../execution/lookup.ts';
import type { BuiltIn, Call } from '../state/host.ts';
import type { Shell } from '../state/shell.ts';

async function list({ shell, out }: Call, reusable: boolean): Promise<number> {
	const entries = shell.hash.entries();
	if (entries.length === 0) await out('hash: hash table empty\n');
	else if (!reusable) await out('hits\tcommand\n');
	for (const [name, { path, hits }] of entries)
		await out(
			reusable ? `builtin hash -p ${quoteWord(path)} ${quoteWord(name)}\n` : `${String(hits).padStart(4)}\t${path}\n`
		);
	return 0;
}

/**
 * Stores the location of a command; a restricted shell only accepts one found by PATH. Returns an error message, or
 * null.
 */
export function keepPlace(shell: Shell, name: string, path: string): string | null {
	if (shell.restricted && path.includes('/')) return `${path}: restricted`;
	const found = shell.restricted ? findCommand(shell, path, 'builtins') : null;
	if (found?.kind === 'none') return `${path}: not found`;
	shell.hash.follow(shell.variables.get('PATH'));
	shell.hash.set(name, path, 0);
	return null;
}

/** Applies the options to one name. Returns the status. */
async function one(call: Call, flags: string, name: string, path: string | null, isOnly: boolean): Promise<number> {
	const { shell } = call;
	if (path !== null) {
		const fault = keepPlace(shell, name, path);
		if (fault !== null) await call.complain(fault);
		return fault === null ? 0 : 1;
	}
	if (flags.includes('t')) {
		const known = shell.hash.get(name);
		if (known !== undefined) {
			shell.hash.hit(name);
			if (flags.includes('l')) await call.out(`builtin hash -p ${quoteWord(known)} ${quoteWord(name)}\n`);
			else await call.out(isOnly ? `${known}\n` : `${name}\t${known}\n`);
			return 0;
		}
	} else if (flags.includes('d')) {
		if (shell.hash.delete(name)) return 0;
	} else {
		if (name.includes('/') || shell.functions.has(name) || shell.host.builtins.has(name)) return 0;
		const found = findCommand(shell, name, 'builtins');
		if ('path' in found && found.kind !== 'directory') {
			shell.hash.set(name, found.path, 0);
			return 0;
		}
	}
	await call.complain(`${name}: not found`);
	return 1;
}

/** `hash`: shows, fills and clears the table of command locations. */
export const hash: BuiltIn = async (call) => {
	const { shell, args } = call;
	let flags = '';
	let path: string | null = null;
	let at = 0;
	for (; /^-[lrpdt]+$/.test(args[at] ?? ''); at++) {
		flags += args[at]?.slice(1);
		if (args[at]?.includes('p')) path = args[++at] ?? '';
	}
	if (args[at] === '--') at++;
	else if (/^-./.test(args[at] ?? '')) {
		await call.complain(`${args[at]?.slice(0, 2)}: invalid option`);
		return 2;
	}
	shell.hash.follow(shell.variables.get('PATH'));
	const names = args.slice(at);
	if (!shell.options.hashall) {
		await call.complain('hashing disabled');
		return 1;
	}
	if (flags.includes('r')) shell.hash.clear();
	else if (names.length === 0) return list(call, flags.includes('l'));
	let status = 0;
	for (const name of names) status = (await one(call, flags, name, path, names.length === 1)) || status;
	return status;
};
