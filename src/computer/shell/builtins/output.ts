import type { BuiltIn } from '../state/host.ts';
import { assignNamed } from './assign-named.ts';
import { zoneOf } from '#computer/local-time/zone.ts';
import { isPlace } from '../parser/subscript.ts';
import { encode } from '#computer/process/text.ts';
import { usageOf } from './usage.ts';
import { formatPrintf, unescape } from './printf.ts';

/** `echo` and `printf`. */
export const outputBuiltins: Record<string, BuiltIn> = {
	echo: async ({ shell, args, out }) => {
		let index = 0;
		let newline = true;
		let escapes = shell.shopt.has('xpg_echo');
		const takesOptions = !(escapes && shell.options.posix);
		for (; takesOptions && /^-[neE]+$/.test(args[index] ?? ''); index++) {
			for (const letter of (args[index] ?? '').slice(1)) {
				if (letter === 'n') newline = false;
				else escapes = letter === 'e';
			}
		}
		let text = args.slice(index).join(' ');
		if (escapes) {
			const result = unescape(text, 'echo');
			text = result.text;
			if (result.stop) newline = false;
		}
		await out(newline ? `${text}\n` : text);
		return 0;
	},
	printf: async (call) => {
		let { args } = call;
		let variable: string | null = null;
		if (args[0] === '-v') {
			variable = args[1] ?? '';
			args = args.slice(2);
			if (!isPlace(variable)) {
				await call.complain(`\`${variable}': not a valid identifier`);
				return 2;
			}
		}
		if (args[0] === '--') args = args.slice(1);
		const [format, ...values] = args;
		if (format === undefined) {
			await call.shell.descriptors.get(2)?.write(encode(usageOf('printf')));
			return 2;
		}
		const { text, problems } = formatPrintf(format, values, () => zoneOf(call.shell.variables.get('TZ')));
		if (variable === null) await call.out(text);
		else if (!(await assignNamed(call, variable, text))) return 1;
		for (const problem of problems) await call.complain(problem);
		return problems.length ? 1 : 0;
	}
};
