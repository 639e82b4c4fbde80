import { reason } from '#computer/shell/execution/redirections.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { UsageError, utility } from '../options.ts';
import { resolve } from './real-path.ts';

/** `readlink`: prints a link's target, or with `-f`, `-e` and `-m` the real path. */
export const readlink = utility(
	'f|canonicalize e|canonicalize-existing m|canonicalize-missing n|no-newline q|quiet s|silent v|verbose z|zero',
	async (call, options) => {
		const { shell } = call;
		const names = options.operands;
		if (names.length === 0) throw new UsageError('missing operand');
		const mode = options.last('f', 'e', 'm');
		const end = options.has('n') && names.length === 1 ? '' : options.has('z') ? '\0' : '\n';
		let status = 0;
		for (const name of names) {
			const missing = mode === 'e' ? 'none' : mode === 'm' ? 'any' : 'last';
			const result = mode === undefined ? targetOf(shell, name) : resolve(call, name, missing);
			if ('path' in result) await call.out(result.path + end);
			else {
				if (options.has('v')) await call.complain(`${name}: ${result.problem}`);
				status = 1;
			}
		}
		return status;
	}
);

function targetOf(shell: Call['shell'], name: string): { path: string } | { problem: string } {
	try {
		return { path: shell.host.context.sync.readlink(shell.path(name)) };
	} catch (error) {
		return { problem: reason(error) };
	}
}
