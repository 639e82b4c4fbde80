import { reason } from '#computer/shell/execution/redirections.ts';
import type { BuiltIn, Call } from '#computer/shell/state/host.ts';
import { UsageError, utility, type Options } from '../options.ts';
import { shellEscapedAlways as quoted } from '../shell-escape.ts';
import { lstatOrNull } from './same-file.ts';
import { joined } from './target.ts';

const SPECIFICATION =
	'R|recursive v|verbose c|changes f|quiet|silent reference= from= preserve-root no-preserve-root dereference ' +
	'h|no-dereference H L P';

/** The only user and group of files here. */
const OWN = new Set(['user', '1000', '']);

export function ownership(what: 'ownership' | 'group', kind: 'user' | 'group'): BuiltIn {
	return utility(SPECIFICATION, async (call, options) => {
		const names = [...options.operands];
		const owner = options.has('reference') ? 'user' : names.shift();
		if (owner === undefined) throw new UsageError('missing operand');
		if (names.length === 0) throw new UsageError(`missing operand after ${quoted(owner)}`);
		const ids = kind === 'group' ? [owner] : owner.split(owner.includes(':') ? ':' : '\0');
		for (const [index, id] of ids.entries())
			if (!/^\+?\d+$/.test(id) && id !== '' && id !== 'user' && id !== 'root') {
				const isGroup = kind === 'group' || index > 0;
				throw new UsageError(`invalid ${isGroup ? 'group' : 'user'}: ${quoted(owner)}`);
			}
		const isOwn = ids.every((id) => OWN.has(id.replace(/^\+/, '')));
		let status = 0;
		for (const name of names) {
			const isRoot = options.has('R') && options.last('preserve-root', 'no-preserve-root') === 'preserve-root';
			if (isRoot && call.shell.path(name) === '/') {
				await call.complain(
					`it is dangerous to operate recursively on ${quoted(name)}${name === '/' ? '' : " (same as '/')"}`
				);
				await call.complain('use --no-preserve-root to override this failsafe');
				status = 1;
			} else status = (await change(call, options, name, { what, owner, isOwn })) || status;
		}
		return status;
	});
}

interface Change {
	what: 'ownership' | 'group';
	owner: string;
	isOwn: boolean;
}

async function change(call: Call, options: Options, name: string, wanted: Change): Promise<number> {
	const { sync } = call.shell.host.context;
	const path = call.shell.path(name);
	const complain = async (text: string): Promise<number> => {
		if (!options.has('f')) await call.complain(text);
		return 1;
	};
	let kind: string;
	try {
		kind = (options.has('h') ? sync.lstat(path) : sync.stat(path)).kind;
	} catch (error) {
		const isDangling = options.has('dereference') && lstatOrNull(sync, path) !== null;
		return complain(`cannot ${isDangling ? 'dereference' : 'access'} ${quoted(name)}: ${reason(error)}`);
	}
	const { what, owner, isOwn } = wanted;
	let status = 0;
	if (!isOwn) status = await complain(`changing ${what} of ${quoted(name)}: Operation not permitted`);
	else if (options.last('v', 'c') === 'v') {
		const shown = owner === '' || owner === ':' ? '' : ` as ${owner.replace('1000', 'user')}`;
		await call.out(`${what} of ${quoted(name)} retained${shown}\n`);
	}
	if (!options.has('R') || kind !== 'directory') return status;
	const follows = options.last('H', 'L', 'P') === 'L';
	const keepsRoot = options.last('preserve-root', 'no-preserve-root') === 'preserve-root';
	for (const entry of sync.readdir(path)) {
		const inner = joined(name, entry.name);
		if (entry.kind === 'symlink' && !follows) continue;
		const isRoot = follows && keepsRoot && sync.statOrNull(call.shell.path(inner))?.inode === sync.stat('/').inode;
		if (isRoot) {
			await complain(`it is dangerous to operate recursively on ${quoted(inner)} (same as '/')`);
			status = await complain('use --no-preserve-root to override this failsafe');
		} else if (entry.kind !== 'symlink') status = (await change(call, options, inner, wanted)) || status;
	}
	return status;
}
