import { runWords } from '#computer/shell/execution/run-words.ts';
import type { BuiltIn } from '#computer/shell/state/host.ts';
import { runSubshell } from '#computer/shell/execution/subshell.ts';

/** `env`: a command with a changed environment, or the environment itself. */
export const env: BuiltIn = async (call) => {
	const { shell, args } = call;
	let index = 0;
	let clear = false;
	let directory: string | null = null;
	const unset: string[] = [];
	for (; /^-/.test(args[index] ?? ''); index++) {
		const arg = args[index] ?? '';
		if (arg === '-i' || arg === '-' || arg === '--ignore-environment') clear = true;
		else if (arg === '-u') unset.push(args[++index] ?? '');
		else if (arg === '-C') directory = args[++index] ?? '';
		else if (arg.startsWith('-u')) unset.push(arg.slice(2));
		else if (arg === '-S') args.splice(index + 1, 1, ...(args[index + 1] ?? '').split(/\s+/).filter(Boolean));
		else if (arg === '--') {
			index++;
			break;
		} else if (arg !== '-0') {
			await call.complain(`invalid option -- '${arg.replace(/^-+/, '')}'`);
			return 125;
		}
	}
	return runSubshell(shell, async (inner) => {
		if (clear) inner.exportedFunctions.clear();
		if (clear)
			for (const name of inner.variables.names())
				if (inner.variables.find(name)?.exported) inner.variables.declare(name, { exported: false });
		for (const name of unset) inner.variables.unset(name);
		for (; /^[^=]+=/.test(args[index] ?? ''); index++) {
			const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(args[index] ?? '') ?? [];
			inner.variables.dynamic.delete(name);
			inner.variables.declare(name, { readonly: false, reference: false, value, exported: true });
		}
		if (directory !== null) inner.cwd = inner.path(directory);
		if (index < args.length) return runWords(inner, args.slice(index), 'builtins');
		const lines = Object.entries(inner.environment()).map(([name, value]) => `${name}=${value}\n`);
		await call.out(lines.join(''));
		return 0;
	});
};
