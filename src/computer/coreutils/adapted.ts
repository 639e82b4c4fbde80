import type { BuiltIn } from '#computer/shell/state/host.ts';

/** `paste` takes options written together, as `-sd+`, and escapes among its delimiters. */
const paste: BuiltIn = ({ shell, args }) => {
	const apart = args.flatMap((arg) => {
		const [, letters = '', delimiter = ''] = /^-(s?d)(.*)$/s.exec(arg) ?? [];
		if (letters === '') return [arg];
		return [...(letters.startsWith('s') ? ['-s'] : []), '-d', ...(delimiter === '' ? [] : [delimiter])];
	});
	const escapes: Record<string, string> = { n: '\n', t: '\t', '0': '', '\\': '\\' };
	const plain = apart.map((arg, index) =>
		apart[index - 1] === '-d' ? arg.replace(/\\(.)/g, (_whole, letter: string) => escapes[letter] ?? letter) : arg
	);
	const named = plain.some((arg, index) => (!/^-./.test(arg) || arg === '-') && plain[index - 1] !== '-d');
	return shell.host.tools.run(shell, 'paste', named ? plain : [...plain, '-']);
};

/** `touch`, with GNU's words where the directory is not there. */
const touch: BuiltIn = async (call) => {
	const { shell, args } = call;
	const lost = args.filter((arg, index) => {
		if (arg.startsWith('-') || /^(-[drt]|--date|--reference)$/.test(args[index - 1] ?? '')) return false;
		const path = shell.path(arg);
		return shell.host.context.sync.statOrNull(path.slice(0, path.lastIndexOf('/')) || '/')?.kind !== 'directory';
	});
	for (const name of lost) await call.complain(`cannot touch '${name}': No such file or directory`);
	const left = args.filter((arg) => !lost.includes(arg));
	if (lost.length > 0 && !left.some((arg) => !arg.startsWith('-'))) return 1;
	const status = await shell.host.tools.run(shell, 'touch', left);
	return lost.length > 0 ? 1 : status;
};

/** Commands of just-bash with what they lack put right around them. */
export const adaptedUtilities: Record<string, BuiltIn> = { paste, touch };
