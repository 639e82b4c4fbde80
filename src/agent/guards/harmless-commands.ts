/**
 * Programs that only read, with the options of theirs that do. For environments where nothing enforces rights and no
 * command can be tried first: there one literal program of this list runs without a question, and nothing else does.
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

/** Characters that mean nothing but themselves to every shell. */
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
