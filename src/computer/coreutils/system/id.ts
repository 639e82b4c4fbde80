import { UsageError, utility } from '../options.ts';
import { shellEscapedAlways as quoted } from '../shell-escape.ts';
import { userOf } from './users.ts';

const FLAGS: Readonly<Record<string, string>> = { u: 'u', user: 'u', g: 'g', group: 'g', G: 'G', groups: 'G' };

/** `id`: user and group ids, of the sandbox's user unless others are named. */
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
		const user = userOf(name);
		if (!user) {
			await call.complain(`${quoted(name)}: no such user`);
			status = 1;
			continue;
		}
		const shown = kinds.has('u') ? user.name : user.group;
		const group = `${user.id}(${user.group})`;
		const whole = `uid=${user.id}(${user.name}) gid=${group} groups=${group}`;
		await call.out((kinds.size === 0 ? whole : options.has('n') ? shown : String(user.id)) + end);
	}
	return status;
});
