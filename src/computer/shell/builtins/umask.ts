import { changedMode, modeText } from '#computer/coreutils/files/modes.ts';
import type { BuiltIn } from '../state/host.ts';
import { optionsOf } from './read-options.ts';

const ALL = 0o777;

/** Error message for a mode; null if it is valid. */
function faultOf(text: string): string | null {
	if (/^\d/.test(text))
		return /^[0-7]+$/.test(text) && parseInt(text, 8) <= 0o7777 ? null : `${text}: octal number out of range`;
	let at = 0;
	const skip = (expression: RegExp): void => {
		while (expression.test(text[at] ?? '')) at++;
	};
	for (;;) {
		skip(/[ugoa]/);
		if (!/[-+=]/.test(text[at] ?? '')) return `\`${text[at] ?? '\0'}': invalid symbolic mode operator`;
		at++;
		skip(/[rwx]/);
		if (at === text.length) return null;
		if (text[at] !== ',') return `\`${text[at]}': invalid symbolic mode character`;
		at++;
	}
}

/** Formats the permissions that a mask leaves, as `-S` shows them. */
function symbolic(mask: number): string {
	const allowed = modeText({ kind: 'file', mode: ALL & ~mask }).slice(1);
	const part = (at: number) => allowed.slice(at, at + 3).replaceAll('-', '');
	return `u=${part(0)},g=${part(3)},o=${part(6)}`;
}

/** `umask`: shows or sets the permissions that new files do not get. */
export const umask: BuiltIn = async (call) => {
	const { shell } = call;
	const { flags, rest } = optionsOf(call);
	const [text] = rest;
	if (text === undefined) {
		const mask = flags.has('S') ? symbolic(shell.umask) : shell.umask.toString(8).padStart(4, '0');
		await call.out(`${flags.has('p') ? `umask ${flags.has('S') ? '-S ' : ''}` : ''}${mask}\n`);
		return 0;
	}
	const fault = faultOf(text);
	if (fault !== null) {
		await call.complain(fault);
		return 1;
	}
	const mode = /^\d/.test(text) ? ALL & ~parseInt(text, 8) : (changedMode(ALL & ~shell.umask, text, true) ?? 0);
	shell.umask = ALL & ~mode;
	if (flags.has('S')) await call.out(`${symbolic(shell.umask)}\n`);
	return 0;
};
