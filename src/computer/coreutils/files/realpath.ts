import { isWithin } from '#computer/abi/paths.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { type Options, UsageError, utility } from '../options.ts';
import { resolve, relativePath } from './real-path.ts';

/** Real path of a directory that others are shown relative to, or the error. */
function directory(call: Call, name: string, options: Options): { path: string } | { problem: string } {
	const missing = ({ e: 'none', m: 'any' } as const)[options.last('e', 'm') ?? ''] ?? 'last';
	const result = resolve(call, name, missing, !options.has('s'), options.last('L', 'P') === 'L');
	if ('problem' in result || missing !== 'none') return result;
	const isDirectory = call.shell.host.context.sync.statOrNull(result.path)?.kind === 'directory';
	return isDirectory ? result : { problem: 'Not a directory' };
}

/** `realpath`. */
export const realpath = utility(
	'e|canonicalize-existing m|canonicalize-missing L|logical P|physical q|quiet s|strip|no-symlinks z|zero relative-to= relative-base=',
	async (call, options) => {
		if (options.operands.length === 0) throw new UsageError('missing operand');
		const missing = ({ e: 'none', m: 'any' } as const)[options.last('e', 'm') ?? ''] ?? 'last';
		const [to, base] = [options.get('relative-to') ?? options.get('relative-base'), options.get('relative-base')];
		const ends: (string | null)[] = [];
		for (const name of [to, base]) {
			const end = name === undefined ? null : directory(call, name, options);
			if (end && 'problem' in end) {
				await call.complain(`${name === '' ? "''" : name}: ${end.problem}`);
				return 1;
			}
			ends.push(end?.path ?? null);
		}
		const [from = null, limit = null] = ends;
		// A starting directory outside of the base is ignored.
		const isUsed = from !== null && (limit === null || isWithin(from, limit));
		let status = 0;
		for (const name of options.operands) {
			const result = resolve(call, name, missing, !options.has('s'), options.last('L', 'P') === 'L');
			if ('problem' in result) {
				if (!options.has('q')) await call.complain(`${name === '' ? "''" : name}: ${result.problem}`);
				status = 1;
				continue;
			}
			const isRelative = isUsed && (limit === null || isWithin(result.path, limit));
			const shown = isRelative ? relativePath(from, result.path) : result.path;
			await call.out(shown + (options.has('z') ? '\0' : '\n'));
		}
		return status;
	}
);
