import { globRegExp } from '../expansion/pattern.ts';
import type { BuiltIn } from '../state/host.ts';
import { SYNOPSES } from './usage.ts';

/** `help`: arguments of the builtins whose names match the patterns, or of all. */
const help: BuiltIn = async (call) => {
	const patterns = call.args.filter((arg) => !/^-[dms]+$|^--$/.test(arg));
	const names = [...SYNOPSES.keys()].sort();
	// bash's help ignores write errors.
	if (!call.shell.descriptors.get(1)) return 0;
	if (patterns.length === 0) {
		await call.out(names.map((name) => `${SYNOPSES.get(name)}\n`).join(''));
		return 0;
	}
	let status = 1;
	for (const pattern of patterns) {
		const expression = globRegExp(pattern);
		const matching = names.filter((name) => expression.test(name) || name === pattern);
		for (const name of matching) await call.out(`${name}: ${SYNOPSES.get(name)}\n`);
		if (matching.length > 0) status = 0;
	}
	if (status !== 0)
		await call.complain(
			`no help topics match \`${patterns.at(-1)}'.  Try \`help help' or \`man -k ${patterns.at(-1)}' or \`info ${patterns.at(-1)}'.`
		);
	return status;
};

export const helpBuiltins: Record<string, BuiltIn> = { help };
