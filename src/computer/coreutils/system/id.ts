import { UsageError, utility } from '../options.ts';
import { shellEscapedAlways as quoted } from '../shell-escape.ts';
import { isUser } from './users.ts';

const FLAGS: Readonly<Record<string, string>> = { u: 'u', user: 'u', g: 'g', group: 'g', G: 'G', groups: 'G' };

/** `id`: the one user that the sandbox has. */
export const id = utility('a Z|context g|group G|groups n|name r|real u|user z|zero', async (call, options) => {
	const kinds = new Set(options.given.map(({ name }) => FLAGS[name]).filter(Boolean));
	if (options.has('Z')) throw new UsageError('--context (-Z) works only on an SELinux-enabled kernel');
	if (kinds.size > 1) throw new UsageError('cannot print "only" of more than one choice');
	if (kinds.size === 0 && options.has('n', 'r'))
		throw new UsageError('cannot print only names or real IDs in default format');
	if (kinds.size === 0 && options.has('z'))
		throw new UsageError('option --zero not permitted in default format', false);
	let status = 0;
	const end = options.has('z') ? (kinds.has('G') && options.operands.length > 1 ? '\0\0' : '\0') : '\n';
	for (const name of options.operands.length > 0 ? options.operands : ['user']) {
		if (!isUser(name)) {
			await call.complain(`${quoted(name)}: no such user`);
			status = 1;
			continue;
		}
		const text = options.has('n') ? 'user' : '1000';
		await call.out((kinds.size > 0 ? text : 'uid=1000(user) gid=1000(user) groups=1000(user)') + end);
	}
	return status;
});
