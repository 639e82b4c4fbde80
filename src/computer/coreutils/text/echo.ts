import { unescape } from '#computer/shell/builtins/printf.ts';
import type { BuiltIn } from '#computer/shell/state/host.ts';

/** `echo` as a program, which differs from the shell's built-in in its escapes and with POSIXLY_CORRECT. */
export const echo: BuiltIn = async ({ shell, args, out }) => {
	const isPosix = shell.variables.exported('POSIXLY_CORRECT') !== undefined;
	let index = 0;
	let [hasEnd, escapes] = [true, false];
	const readsOptions = !isPosix || args[0] === '-n';
	for (; readsOptions && /^-[neE]+$/.test(args[index] ?? ''); index++) {
		for (const letter of (args[index] ?? '').slice(1)) {
			if (letter === 'n') hasEnd = false;
			else escapes = letter === 'e';
		}
	}
	const text = args.slice(index).join(' ');
	const { text: shown, stop } = escapes || isPosix ? unescape(text, 'value') : { text, stop: false };
	await out(hasEnd && !stop ? `${shown}\n` : shown);
	return 0;
};
