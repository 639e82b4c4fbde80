/**
 * Programs that only read, with their options that only read. Used in environments that can neither enforce rights nor
 * run a command on trial: there a single literal program of this list runs without a question, and nothing else does.
 */
const HARMLESS: Readonly<Record<string, RegExp>> = {
	basename: /^-[as]$/,
	cat: /^-[AbEensTtuv]+$/,
	df: /^-[ahHiklPTm]+$/,
	dirname: /^-z$/,
	du: /^-(?:[abchklmsSx]+|d\d+)$/,
	echo: /^-[neE]+$/,
	false: /^$/,
	head: /^-(?:[nc]?\d+|[nc]|[qv])$/,
	ls: /^-[1AaBCcdFfGghHiklLmNnopQqRrSstTuUvwXxZ]+$/,
	pwd: /^-[LP]$/,
	stat: /^-[Lft]$/,
	tail: /^-(?:[nc]?\d+|[nc]|[qv])$/,
	true: /^$/,
	wc: /^-[clmLw]+$/,
	which: /^-a$/
};

/** Characters without special meaning in any shell. */
const LITERAL = /^[\w./=:@,+% -]*$/;

/** Returns true if a line is a single harmless program with literal arguments below the working directory. */
export function isHarmless(line: string): boolean {
	if (!LITERAL.test(line)) return false;
	const [program = '', ...args] = line.trim().split(/ +/);
	if (!Object.hasOwn(HARMLESS, program)) return false;
	const options = HARMLESS[program];
	return args.every((arg) => {
		if (arg.startsWith('-')) return options?.test(arg) ?? false;
		// Paths outside contain other files and information about running processes.
		return !arg.startsWith('/') && !arg.split('/').includes('..');
	});
}
