import type { CaseItem, Operator, Redirection, Shape, Written } from './nodes.ts';
import { Reader, Unreadable } from './reader.ts';
import { readRedirection } from './redirection.ts';

/** Words that end a list of commands where one may begin. */
const ENDS = /^(?:(?:then|else|elif|fi|do|done|esac|\})(?=[\s;&|()<>]|$)|\)|;;|;&|$)/;

const plain = (shape: Shape, redirections: Redirection[] = []): Written => ({ shape, prefix: '', redirections });

/** Commands up to the word that ends them; null when there is none. @throws Unreadable */
export function readList(reader: Reader): Written | null {
	let list: Written | null = null;
	let operator: Operator = ';';
	for (;;) {
		reader.lines();
		if (reader.match(ENDS)) return list && operator === '&' ? join(list, '&', null) : list;
		const next = readAndOr(reader);
		list = list ? join(list, operator, next) : next;
		reader.blanks();
		if (reader.match(/^(?:;;|;&)/)) operator = ';';
		else if (reader.take(';')) operator = ';';
		else if (reader.take('&')) operator = '&';
		else operator = ';';
	}
}

function join(left: Written, operator: Operator, right: Written | null): Written {
	return plain({ type: 'joined', operator, left, right });
}

/** One statement. @throws Unreadable */
export function readAndOr(reader: Reader): Written {
	let list = readPipeline(reader);
	for (;;) {
		reader.blanks();
		const operator = reader.take('&&') ? '&&' : reader.take('||') ? '||' : null;
		if (!operator) return list;
		reader.lines();
		list = join(list, operator, readPipeline(reader));
	}
}

function readPipeline(reader: Reader): Written {
	let prefix = '';
	for (;;) {
		reader.blanks();
		if (reader.takeWord('!')) prefix += '! ';
		else if (reader.takeWord('time')) {
			reader.blanks();
			prefix += reader.takeWord('-p') ? 'time -p ' : 'time ';
		} else break;
	}
	let pipeline = readCommand(reader);
	for (;;) {
		reader.blanks();
		if (reader.sees('||') || !reader.take('|')) break;
		if (reader.take('&')) (pipeline.shape.type === 'joined' ? pipeline.shape.right : pipeline)?.redirections.push({ text: '2>&1' }); // prettier-ignore
		reader.lines();
		pipeline = join(pipeline, '|', readCommand(reader));
	}
	pipeline.prefix = prefix;
	return pipeline;
}

function readCommand(reader: Reader): Written {
	const compound = readCompound(reader);
	if (!compound) return readSimple(reader);
	const written = plain(compound);
	for (reader.blanks(); readRedirection(reader, written.redirections); reader.blanks());
	return written;
}

function readCompound(reader: Reader): Shape | null {
	if (reader.sees('((')) return { type: 'words', words: [reader.balanced('(', ')')] };
	if (reader.take('(')) return { type: 'subshell', body: readBody(reader, ')') };
	if (reader.takeWord('{')) return { type: 'group', body: readBody(reader, '}') };
	if (reader.takeWord('[[')) return readConditional(reader);
	if (reader.takeWord('if')) return readIf(reader);
	for (const word of ['while', 'until'] as const) {
		if (reader.takeWord(word))
			return { type: 'loop', word, condition: readBody(reader, 'do'), body: readBody(reader, 'done') };
	}
	for (const word of ['for', 'select'] as const) if (reader.takeWord(word)) return readFor(reader, word);
	if (reader.takeWord('case')) return readCase(reader);
	const named = reader.match(
		/^(?:function[ \t]+([^\s;&|<>()]+)[ \t]*(?:\([ \t]*\))?|([^\s;&|<>()$"'`\\=]+)[ \t]*\([ \t]*\))/
	);
	if (!named) return null;
	reader.at += named[0].length;
	reader.lines();
	return { type: 'function', name: named[1] ?? named[2] ?? '', body: readCommand(reader) };
}

/** A list and the word behind it. */
function readBody(reader: Reader, end: string): Written {
	const list = readList(reader);
	if (!list) throw new Unreadable(`nothing before ${end}`);
	reader.expect(end);
	return list;
}

function readIf(reader: Reader): Shape {
	const condition = readBody(reader, 'then');
	const body = readList(reader);
	if (!body) throw new Unreadable('nothing after then');
	let otherwise: Written | null = null;
	if (reader.takeWord('elif')) otherwise = plain(readIf(reader));
	else if (reader.takeWord('else')) otherwise = readBody(reader, 'fi');
	else reader.expect('fi');
	return { type: 'if', condition, body, otherwise };
}

function readFor(reader: Reader, word: 'for' | 'select'): Shape {
	reader.blanks();
	if (reader.sees('((')) {
		const [init = '', test = '', step = ''] = reader.balanced('(', ')').slice(2, -2).split(';');
		reader.blanks();
		reader.take(';');
		const part = (text: string) => text.trim() || '1';
		return { type: 'count', head: `for ((${part(init)}; ${part(test)}; ${part(step)}))`, body: readDo(reader) };
	}
	const variable = reader.word();
	reader.lines();
	let words = ['"$@"'];
	if (reader.takeWord('in')) {
		words = [];
		for (reader.blanks(); ; reader.blanks()) {
			const next = reader.word();
			if (next === '') break;
			words.push(next);
		}
	}
	reader.blanks();
	reader.take(';');
	return { type: 'for', word, variable, words, body: readDo(reader) };
}

function readDo(reader: Reader): Written {
	reader.lines();
	if (reader.takeWord('{')) return readBody(reader, '}');
	reader.expect('do');
	return readBody(reader, 'done');
}

function readCase(reader: Reader): Shape {
	reader.blanks();
	const word = reader.word();
	reader.expect('in');
	const items: CaseItem[] = [];
	for (;;) {
		reader.lines();
		if (reader.takeWord('esac')) return { type: 'case', word, items };
		reader.take('(');
		const patterns: string[] = [];
		do {
			reader.blanks();
			patterns.push(reader.word());
			reader.blanks();
		} while (reader.take('|'));
		reader.expect(')');
		const body = readList(reader);
		const end = ([';;&', ';&', ';;'] as const).find((candidate) => reader.take(candidate)) ?? ';;';
		items.push({ patterns, body, end });
		if (patterns.includes('')) throw new Unreadable('no pattern');
	}
}

/** `[[ … ]]` is words and operators; behind `=~` all up to a blank is one. */
function readConditional(reader: Reader): Shape {
	const words = ['[['];
	for (;;) {
		reader.lines();
		if (reader.takeWord(']]')) return { type: 'words', words: [...words, ']]'] };
		const operator = reader.match(/^(?:&&|\|\||[()<>](?!\())/)?.[0];
		if (words.at(-1) === '=~') words.push(readPattern(reader));
		else if (operator) {
			reader.take(operator);
			words.push(operator);
		} else words.push(reader.word());
		if (words.at(-1) === '') throw new Unreadable('no ]]');
	}
}

function readPattern(reader: Reader): string {
	let text = '';
	while (!reader.match(/^(?:\s|$)/)) {
		if (reader.sees('(')) text += reader.balanced('(', ')');
		else {
			const word = reader.word();
			text += word === '' ? (reader.source[reader.at++] ?? '') : word;
		}
	}
	return text;
}

function readSimple(reader: Reader): Written {
	const words: string[] = [];
	const redirections: Redirection[] = [];
	for (;;) {
		reader.blanks();
		if (readRedirection(reader, redirections)) continue;
		const word = reader.word();
		if (word === '') break;
		words.push(word);
	}
	if (words.length === 0 && redirections.length === 0) throw new Unreadable('no command');
	return plain({ type: 'words', words }, redirections);
}
