import type { BuiltIn } from '#computer/shell/state/host.ts';

/** `paste` of just-bash, with options written together, as `-sd+`, and escapes among its delimiters. */
export const paste: BuiltIn = ({ shell, args }) => {
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
