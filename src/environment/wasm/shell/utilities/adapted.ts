import type { BuiltIn } from '../state/host.ts';

/** `paste` takes options written together, as `-sd+`. */
const paste: BuiltIn = ({ shell, args }) => {
	const apart = args.flatMap((arg) => {
		const [, delimiter] = /^-sd(.+)$/s.exec(arg) ?? [];
		return delimiter === undefined ? (arg === '-sd' ? ['-s', '-d'] : [arg]) : ['-s', '-d', delimiter];
	});
	const named = apart.some((arg, index) => (!/^-./.test(arg) || arg === '-') && apart[index - 1] !== '-d');
	return shell.host.tools.run(shell, 'paste', named ? apart : [...apart, '-']);
};

/** `join` takes the value of `-e` written together with it. */
const join: BuiltIn = ({ shell, args }) =>
	shell.host.tools.run(
		shell,
		'join',
		args.flatMap((arg) => (/^-e./.test(arg) ? ['-e', arg.slice(2)] : [arg]))
	);

/** `stat -L`: of what a link names. */
const stat: BuiltIn = ({ shell, args }) => {
	const follows = args.some((arg) => arg === '-L' || arg === '--dereference');
	const { sync } = shell.host.context;
	const followed = (arg: string) =>
		follows && !arg.startsWith('-') && sync.statOrNull(shell.path(arg)) ? sync.realpath(shell.path(arg)) : arg;
	const kept = args.filter((arg) => arg !== '-L' && arg !== '--dereference');
	return shell.host.tools.run(shell, 'stat', kept.map(followed));
};

/** Commands of just-bash with what they lack put right around them. */
export const adaptedUtilities: Record<string, BuiltIn> = { paste, join, stat };
