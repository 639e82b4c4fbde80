import { runSubshell } from '#computer/shell/execution/subshell.ts';
import type { BuiltIn } from '#computer/shell/state/host.ts';
import { UsageError, utility } from '../options.ts';
import { runProgram } from './run-program.ts';

const FAILED = 125;
const DEFAULT_ADJUSTMENT = 10;
/** Bounds of the niceness shown: it has no effect on scheduling here. */
const [LEAST, MOST] = [0, 19];

const adjusted = utility(
	'+n|adjustment=',
	async (call, options) => {
		const text = options.get('n');
		if (text !== undefined && !/^\s*[-+]?\d+$/.test(text)) throw new UsageError(`invalid adjustment '${text}'`);
		const adjustment = Number(text ?? DEFAULT_ADJUSTMENT);
		if (options.operands.length === 0) {
			if (text !== undefined) throw new UsageError('a command must be given with an adjustment', true);
			await call.out(`${call.shell.niceness}\n`);
			return 0;
		}
		if (adjustment < 0) await call.complain('cannot set niceness: Permission denied');
		return runSubshell(call.shell, (inner) => {
			inner.niceness = Math.max(LEAST, Math.min(MOST, inner.niceness + Math.max(0, adjustment)));
			return runProgram(call, inner, [...options.operands], '');
		});
	},
	FAILED
);

/** `nice`. Also accepts the traditional forms `-5` and `--5`. */
export const nice: BuiltIn = (call) => {
	const args = [...call.args];
	for (let index = 0; index < args.length; index++) {
		const arg = args[index] ?? '';
		const [, value] = /^-([-+]?\d.*)$/.exec(arg) ?? [];
		if (value !== undefined) args[index] = `-n${value}`;
		else if (arg === '-n' || arg === '--adjustment') index++;
		else if (!/^(?:-n.|--adjustment=)/s.test(arg)) break;
	}
	return adjusted({ ...call, args });
};
