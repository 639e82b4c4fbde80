import type { BuiltIn } from '../state/host.ts';
import { SPECIAL_BUILTINS } from '../state/options.ts';
import { optionsOf } from './read-options.ts';

/** `enable`: turns builtins on and off, or lists them. */
export const enable: BuiltIn = async (call) => {
	const { shell } = call;
	const { disabledBuiltins, host } = shell;
	const { flags, rest } = optionsOf(call);
	const turnsOff = flags.has('n');
	if (rest.length === 0 || flags.has('p')) {
		for (const name of [...host.builtins.keys()].sort()) {
			const isOff = disabledBuiltins.has(name);
			const isWanted = (flags.has('a') || isOff === turnsOff) && (!flags.has('s') || SPECIAL_BUILTINS.has(name));
			if (isWanted) await call.out(`enable ${isOff ? '-n ' : ''}${name}\n`);
		}
		return 0;
	}
	let status = 0;
	for (const name of rest) {
		if (!host.builtins.has(name)) {
			await call.complain(`${name}: not a shell builtin`);
			status = 1;
		} else if (turnsOff) disabledBuiltins.add(name);
		else disabledBuiltins.delete(name);
	}
	return status;
};
