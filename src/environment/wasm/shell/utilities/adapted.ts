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

/** Commands of just-bash with what they lack put right around them. */
export const adaptedUtilities: Record<string, BuiltIn> = { paste };
