/** The program cannot be read or run; the message is shown behind `awk: `. */
export class AwkError extends Error {}

export interface Token {
	kind: 'number' | 'string' | 'regexp' | 'name' | 'call' | 'word' | 'builtin' | 'operator' | 'newline' | 'end';
	text: string;
	number: number;
	line: number;
}

const WORDS = new Set(
	'BEGIN END function func if else while for do break continue next nextfile exit return delete in getline print printf switch case default'.split(
		' '
	)
);
const BUILTINS = new Set(
	'length substr index split sub gsub match sprintf sin cos atan2 exp log sqrt int rand srand tolower toupper system close fflush gensub strftime systime mktime and or xor lshift rshift compl strtonum asort asorti'.split(
		' '
	)
);
const OPERATOR =
	/^(\*\*=|\*\*|&&|\|\||\|&|\+\+|--|\+=|-=|\*=|\/=|%=|\^=|==|<=|>=|!=|!~|>>|[{}()[\];,+\-*/%^!<>|?:~$=])/;

/** Cuts an awk program into tokens. @throws AwkError */
export function tokenize(source: string): Token[] {
	const tokens: Token[] = [];
	let at = 0;
	let line = 1;
	const push = (kind: Token['kind'], text: string, number = 0) => tokens.push({ kind, text, number, line });
	while (at < source.length) {
		const rest = source.slice(at);
		const skipped = /^([ \t\r]+|\\\r?\n|#[^\n]*)/.exec(rest)?.[0];
		if (skipped) {
			if (skipped.startsWith('\\')) line++;
			at += skipped.length;
			continue;
		}
		if (rest[0] === '\n') {
			push('newline', '\n');
			line++;
			at++;
			continue;
		}
		if (rest[0] === '"') {
			const literal = /^"((?:[^"\\\n]|\\[\s\S])*)"/.exec(rest);
			if (!literal) throw new AwkError(`line ${line}: runaway string constant`);
			push('string', unescapeString(literal[1] ?? ''));
			at += literal[0].length;
			continue;
		}
		if (rest[0] === '/' && regexpMayStart(tokens.at(-1))) {
			const literal =
				/^\/((?:[^\\/[\n]|\\.|\[\^?\]?(?:[^\]\\\n]|\\.|\[:\w+:\])*\])*)\//.exec(rest) ??
				/^\/((?:[^\\/\n]|\\.)*)\//.exec(rest);
			if (!literal) throw new AwkError(`line ${line}: regular expression compile failed (missing '/')`);
			push('regexp', literal[1]?.replace(/\\\//g, '/') ?? '');
			at += literal[0].length;
			continue;
		}
		const number = /^(0[xX][0-9a-fA-F]+|(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?)/.exec(rest)?.[0];
		if (number) {
			push('number', number, Number(number));
			at += number.length;
			continue;
		}
		const name = /^[A-Za-z_]\w*/.exec(rest)?.[0];
		if (name) {
			if (WORDS.has(name)) push('word', name === 'func' ? 'function' : name);
			else if (BUILTINS.has(name)) push('builtin', name);
			else push(rest[name.length] === '(' ? 'call' : 'name', name);
			at += name.length;
			continue;
		}
		const operator = OPERATOR.exec(rest)?.[0];
		if (!operator) throw new AwkError(`line ${line}: unexpected character '${rest[0]}'`);
		push('operator', operator.replace('**', '^'));
		at += operator.length;
	}
	push('newline', '\n');
	push('end', '');
	return tokens;
}

/** A slash behind a value divides. */
function regexpMayStart(before: Token | undefined): boolean {
	if (!before) return true;
	if (before.kind === 'operator') return !/^(\)|\]|\$|\+\+|--)$/.test(before.text);
	return before.kind === 'newline' || before.kind === 'word' || before.kind === 'end';
}

const ESCAPES: Record<string, string> = {
	n: '\n',
	t: '\t',
	r: '\r',
	a: '\x07',
	b: '\b',
	f: '\f',
	v: '\v',
	'\\': '\\',
	'"': '"',
	'/': '/'
};

/** Decodes a string literal, or a value given with `-v`. */
export function unescapeString(text: string): string {
	return text.replace(/\\(\n|[0-7]{1,3}|x[0-9a-fA-F]{1,2}|[\s\S])/g, (_whole, escaped: string) => {
		if (escaped === '\n') return '';
		if (/^[0-7]/.test(escaped)) return String.fromCharCode(parseInt(escaped, 8));
		if (/^x./.test(escaped)) return String.fromCharCode(parseInt(escaped.slice(1), 16));
		return ESCAPES[escaped] ?? `\\${escaped}`;
	});
}
