import { reason } from '#computer/shell/execution/redirections.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { UsageError, utility, type Options } from '../options.ts';
import { shellEscapedAlways as quoted } from '../shell-escape.ts';
import { lstatOrNull } from './same-file.ts';

/** `rmdir`. */
export const rmdir = utility('p|parents v|verbose ignore-fail-on-non-empty', async (call, options) => {
	if (options.operands.length === 0) throw new UsageError('missing operand');
	let status = 0;
	for (const name of options.operands) {
		if (!(await removeOne(call, options, name, false))) status = 1;
		else if (options.has('p') && !(await removeParents(call, options, name))) status = 1;
	}
	return status;
});

async function removeParents(call: Call, options: Options, name: string): Promise<boolean> {
	const parts = name.replace(/\/+$/, '').split(/\/+/);
	for (let end = parts.length - 1; end > 0; end--) {
		const parent = parts.slice(0, end).join('/');
		if (parent === '') break;
		const result = await removeOne(call, options, parent, true);
		if (result !== 'removed') return result === 'ignored';
	}
	return true;
}

async function removeOne(
	call: Call,
	options: Options,
	name: string,
	isParent: boolean
): Promise<'removed' | 'ignored' | false> {
	const { sync } = call.shell.host.context;
	const path = call.shell.path(name);
	if (options.has('v')) await call.out(`rmdir: removing directory, ${quoted(name)}\n`);
	try {
		if (name.endsWith('/') && lstatOrNull(sync, path)?.kind === 'symlink') {
			const target = sync.statOrNull(path);
			const isFile = target !== null && target.kind !== 'directory';
			const why = isFile ? 'Not a directory' : 'Symbolic link not followed';
			await call.complain(`failed to remove ${quoted(name)}: ${why}`);
			return false;
		}
		if (/(?:^|\/)\.\/*$/.test(name)) throw Object.assign(new Error(), { code: 'EINVAL' });
		sync.rmdir(path);
		return 'removed';
	} catch (error) {
		const why = reason(error);
		if (why === 'Directory not empty' && options.has('ignore-fail-on-non-empty')) return 'ignored';
		await call.complain(
			`failed to remove ${isParent && why !== 'Not a directory' ? 'directory ' : ''}${quoted(name)}: ${why}`
		);
		return false;
	}
}
