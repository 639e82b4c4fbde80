import { utility } from '../options.ts';

export const printenv = utility(
	'+0|null',
	async ({ shell, out }, options) => {
		const environment = shell.environment();
		const end = options.has('0') ? '\0' : '\n';
		const { operands } = options;
		if (operands.length === 0)
			for (const [name, value] of Object.entries(environment)) await out(`${name}=${value}${end}`);
		for (const name of operands) if (environment[name] !== undefined) await out(`${environment[name]}${end}`);
		return operands.every((name) => environment[name] !== undefined && !name.includes('=')) ? 0 : 1;
	},
	2
);
