import type { ProcessContext } from '#computer/process/program.ts';
import { NpmError } from '../errors.ts';
import { inside } from '../manifest.ts';
import type { Output } from '../output.ts';

const USAGE = [
	'Usage:',
	'npm pkg set <key>=<value> [<key>=<value> ...]',
	'npm pkg get [<key> [<key> ...]]',
	'npm pkg delete <key> [<key> ...]'
];

/** Segments of a key: names, array indexes, and `null` for `[]`, the end of an array. */
type Key = readonly (string | number | null)[];

/**
 * `npm pkg get|set|delete`: reads and changes package.json using keys such as `scripts.test`, `files[0]` and `files[]`.
 *
 * @param project directory of the package.json
 * @param isJson whether values of `set` are JSON
 * @throws NpmError
 */
export function pkgCommand(
	{ sync }: ProcessContext,
	output: Output,
	project: string,
	[action, ...words]: string[],
	isJson: boolean
): number {
	const file = inside(project, 'package.json');
	if (!sync.statOrNull(file)) throw new NpmError('ENOENT', `There is no package.json in ${project}.`);
	const text = new TextDecoder().decode(sync.readFile(file));
	const json: unknown = JSON.parse(text);
	if (action === 'get') {
		output.print(JSON.stringify(found(json, words), null, 2));
		return 0;
	}
	if (action === 'set') for (const [key, value] of words.map((word) => assignment(word, isJson))) set(json, key, value);
	else if (action === 'delete') for (const word of words) remove(json, keyOf(word));
	else throw new NpmError('EUSAGE', ...USAGE);
	if (words.length === 0)
		throw new NpmError(
			'EUSAGE',
			`npm pkg ${action} expects ${action === 'set' ? 'key=value pairs' : 'keys'}.`,
			...USAGE
		);
	const indent = /^[{[](?:\r?\n)+([ \t]+)/.exec(text)?.[1] ?? '';
	const end = text.endsWith('\n') ? '\n' : '';
	sync.writeFile(file, new TextEncoder().encode(JSON.stringify(json, null, indent) + end));
	return 0;
}

/** Returns one value for one key, an object by key for several, everything for none. Missing values are omitted. */
function found(json: unknown, words: string[]): unknown {
	if (words.length === 0) return json;
	const values = words.map((word) => [word, valueAt(json, keyOf(word))] as const);
	const [first] = values;
	if (values.length === 1 && first && first[1] !== undefined) return first[1];
	return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

function assignment(word: string, isJson: boolean): [Key, unknown] {
	const at = word.indexOf('=');
	if (at < 1) throw new NpmError('EUSAGE', 'npm pkg set expects key=value pairs.', ...USAGE);
	const value = word.slice(at + 1);
	if (!isJson) return [keyOf(word.slice(0, at)), value];
	try {
		return [keyOf(word.slice(0, at)), JSON.parse(value)];
	} catch {
		throw new NpmError('EJSONPARSE', `With --json a value is JSON; ${value} is not. Quote text: key='"text"'.`);
	}
}

function keyOf(word: string): Key {
	const key = [...word.matchAll(/\[([^\]]*)\]|[^.[\]]+/g)].map(([part, index]) => {
		if (index === undefined) return part;
		if (index === '') return null;
		return /^\d{1,6}$/.test(index) ? Number(index) : index;
	});
	if (key.length === 0 || key.includes('__proto__')) throw new NpmError('EUSAGE', `${word} is no key of package.json.`);
	return key;
}

function valueAt(json: unknown, key: Key): unknown {
	let value = json;
	for (const part of key) {
		if (typeof value !== 'object' || value === null || part === null || !Object.hasOwn(value, part)) return undefined;
		value = (value as Record<string | number, unknown>)[part];
	}
	return value;
}

function set(json: unknown, key: Key, value: unknown): void {
	let container = json;
	for (const [at, part] of key.entries()) {
		if (typeof container !== 'object' || container === null)
			throw new NpmError('EOVERRIDEVALUE', `Property ${key[at - 1]} already exists and is not an Array or Object.`);
		if (Array.isArray(container) && typeof part === 'string' && !/^\d+$/.test(part))
			throw new NpmError('EARRAYSET', `${key[at - 1]} is an Array: add [] to append to it, or name an index.`);
		const name = part ?? (Array.isArray(container) ? container.length : Object.keys(container).length);
		const fields = container as Record<string | number, unknown>;
		const next = key[at + 1];
		if (next === undefined) fields[name] = value;
		else if (!Object.hasOwn(fields, name)) fields[name] = typeof next === 'string' ? {} : [];
		container = fields[name];
	}
}

function remove(json: unknown, key: Key): void {
	const container = valueAt(json, key.slice(0, -1));
	const last = key.at(-1);
	if (typeof container !== 'object' || container === null || last === null || last === undefined) return;
	if (Array.isArray(container)) container.splice(Number(last), 1);
	else delete (container as Record<string | number, unknown>)[last];
}
