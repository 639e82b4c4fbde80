import { globRegExp } from '../expansion/pattern.ts';
import { FieldBuilder, fieldText } from '../expansion/field.ts';
import { quoteWord } from '../expansion/quote.ts';
import { runWords } from '../execution/run-words.ts';
import { capture } from '../expansion/substitution.ts';
import { parseWord } from '../parser/parse.ts';
import { ShellError } from '../state/control.ts';
import type { BuiltIn, Call } from '../state/host.ts';
import { SET_OPTIONS, SHOPT_NAMES } from '../state/options.ts';
import type { Shell } from '../state/shell.ts';
import { elements, inBashOrder } from '../state/variables.ts';
import { decode } from '#computer/process/text.ts';
import { addParts } from '../expansion/word.ts';
import { KEYWORDS } from './keywords.ts';
import { LISTED } from './signals.ts';

const OPTIONS = ['bashdefault', 'default', 'dirnames', 'filenames', 'noquote', 'nosort', 'nospace', 'plusdirs'];
/** Actions in the order bash evaluates them. */
const ACTIONS = [
	'alias arrayvar binding builtin disabled enabled export function helptopic hostname job keyword running setopt shopt',
	'signal stopped variable command file user group service directory'
].flatMap((line) => line.split(' '));
const LETTERS: Record<string, string> = {
	a: 'alias',
	b: 'builtin',
	c: 'command',
	d: 'directory',
	e: 'export',
	f: 'file',
	g: 'group',
	j: 'job',
	k: 'keyword',
	s: 'service',
	u: 'user',
	v: 'variable'
};

/** Options of `complete` and `compgen`. */
interface Specification {
	options: Set<string>;
	actions: Set<string>;
	/** Values of -G, -W, -P, -S, -X, -C, -F. */
	values: Map<string, string>;
	flags: Set<string>;
	words: string[];
}

async function readSpecification(call: Call): Promise<Specification | number> {
	const found: Specification = {
		options: new Set(),
		actions: new Set(),
		values: new Map(),
		flags: new Set(),
		words: []
	};
	const { args } = call;
	let at = 0;
	for (; /^-./.test(args[at] ?? ''); at++) {
		const word = args[at] ?? '';
		if (word === '--') {
			at++;
			break;
		}
		for (let index = 1; index < word.length; index++) {
			const letter = word[index] ?? '';
			if ('prDEI'.includes(letter)) found.flags.add(letter);
			else if (LETTERS[letter]) found.actions.add(LETTERS[letter]);
			else if ('oAGWPSXCF'.includes(letter)) {
				const value = index + 1 < word.length ? word.slice(index + 1) : args[++at];
				if (value === undefined) {
					await call.complain(`-${letter}: option requires an argument`);
					return 2;
				}
				if (letter === 'o' && !OPTIONS.includes(value)) {
					await call.complain(`${value}: invalid option name`);
					return 2;
				}
				if (letter === 'A' && !ACTIONS.includes(value)) {
					await call.complain(`${value}: invalid action name`);
					return 2;
				}
				if (letter === 'o') found.options.add(value);
				else if (letter === 'A') found.actions.add(value);
				else found.values.set(letter, value);
				break;
			} else {
				await call.complain(`-${letter}: invalid option`);
				return 2;
			}
		}
	}
	found.words = args.slice(at);
	return found;
}

const compgen: BuiltIn = async (call) => {
	const specification = await readSpecification(call);
	if (typeof specification === 'number') return specification;
	const word = specification.words[0] ?? '';
	const found = await generate(call.shell, specification, word);
	if (found.length === 0) return 1;
	await call.out(found.map((one) => `${one}\n`).join(''));
	return 0;
};

async function generate(shell: Shell, { actions, values, options }: Specification, word: string): Promise<string[]> {
	let found: string[] = [];
	for (const action of ACTIONS) {
		if (actions.has(action)) found.push(...candidates(shell, action, word).filter((one) => one.startsWith(word)));
	}
	const list = values.get('W');
	if (list !== undefined) found.push(...(await wordList(shell, list)).filter((one) => one.startsWith(word)));
	const name = values.get('F');
	if (name !== undefined) {
		const given = await functionWords(shell, name, word);
		if (given === null) return [];
		found.push(...given);
	}
	const command = values.get('C');
	if (command !== undefined) found.push(...(await commandLines(shell, command, word)));
	const filter = values.get('X');
	if (filter) {
		const negated = filter.startsWith('!');
		const pattern = globRegExp((negated ? filter.slice(1) : filter).replace(/(^|[^\\])&/g, `$1${word}`));
		found = found.filter((one) => pattern.test(one) === negated);
	}
	found = found.map((one) => (values.get('P') ?? '') + one + (values.get('S') ?? ''));
	if (found.length === 0 && options.has('dirnames')) return candidates(shell, 'directory', word);
	if (found.length === 0 && options.has('default')) return candidates(shell, 'file', word);
	if (options.has('plusdirs')) found.push(...candidates(shell, 'directory', word));
	return found;
}

function candidates(shell: Shell, action: string, word: string): string[] {
	const { host, variables } = shell;
	const kept = (keep: (name: string) => boolean) => variables.names().filter(keep);
	switch (action) {
		case 'alias':
			return [...shell.aliases.keys()].sort();
		case 'arrayvar':
			return kept((name) => variables.find(name)?.indexed !== undefined);
		case 'builtin':
		case 'enabled':
		case 'helptopic':
			return [...host.builtins.keys(), ...(action === 'helptopic' ? KEYWORDS : [])].sort();
		case 'export':
			return kept((name) => variables.find(name)?.exported === true);
		case 'function':
			return [...shell.functions.keys()].sort();
		case 'keyword':
			return [...KEYWORDS];
		case 'setopt':
			return Object.keys(SET_OPTIONS).sort();
		case 'shopt':
			return [...SHOPT_NAMES];
		case 'signal':
			return LISTED.map(([, name]) => `SIG${name}`);
		case 'variable':
			return kept(() => true);
		case 'command':
			return commandNames(shell);
		case 'user':
			return ['root', 'user'];
		case 'group':
			return ['root', 'user'];
		case 'file':
		case 'directory':
			return paths(shell, word, action === 'directory');
		default:
			return [];
	}
}

function commandNames(shell: Shell): string[] {
	const { host } = shell;
	const programs = [...host.programs, ...host.utilities.keys()].sort();
	return [
		...[...shell.aliases.keys()].sort(),
		...KEYWORDS,
		...[...shell.functions.keys()].sort(),
		...[...host.builtins.keys()].sort(),
		...programs.filter((name) => !host.builtins.has(name))
	];
}

function paths(shell: Shell, word: string, directoriesOnly: boolean): string[] {
	const slash = word.lastIndexOf('/') + 1;
	const [base, prefix] = [word.slice(0, slash), word.slice(slash)];
	const { sync } = shell.host.context;
	const directory = shell.path(base || '.');
	if (sync.statOrNull(directory)?.kind !== 'directory') return [];
	return sync
		.readdir(directory)
		.filter(({ name }) => name.startsWith(prefix) && (prefix.startsWith('.') || !name.startsWith('.')))
		.filter(({ name }) => !directoriesOnly || sync.statOrNull(shell.path(`${directory}/${name}`))?.kind === 'directory')
		.map(({ name }) => base + name);
}

/** `-W`: split at IFS, then expanded. */
async function wordList(shell: Shell, text: string): Promise<string[]> {
	try {
		const builder = new FieldBuilder(shell.variables.get('IFS') ?? ' \t\n');
		const { parts } = parseWord(text, 'operand');
		await addParts({ shell, builder, split: true, nested: true }, parts, false);
		return builder.result().map(fieldText);
	} catch (error) {
		if (error instanceof ShellError) {
			shell.complain(error.message);
			return [];
		}
		throw error;
	}
}

/** Words that a completion function puts into COMPREPLY; null if it fails. */
async function functionWords(shell: Shell, name: string, word: string): Promise<string[] | null> {
	const { variables } = shell;
	variables.set('COMP_CWORD', '-1');
	variables.set('COMP_LINE', '');
	variables.set('COMP_POINT', '0');
	variables.declare('COMP_WORDS', { indexed: new Map(), value: undefined });
	try {
		if (!shell.functions.has(name)) {
			shell.complain(`compgen: warning: ${name}: function not found`);
			return [];
		}
		await runWords(shell, [name, 'compgen', word, '']);
		return elements(variables.find('COMPREPLY')).map(([, value]) => value);
	} catch (error) {
		if (!(error instanceof ShellError) || error.fatal === true) throw error;
		shell.complain(error.message);
		return null;
	} finally {
		for (const variable of ['COMP_CWORD', 'COMP_LINE', 'COMP_POINT', 'COMP_WORDS', 'COMPREPLY'])
			variables.unset(variable);
	}
}

async function commandLines(shell: Shell, command: string, word: string): Promise<string[]> {
	const bytes = await capture(shell, (inner) => inner.host.evaluate(inner, `${command} compgen ${quoteWord(word)} ''`));
	return decode(bytes)
		.split('\n')
		.filter((line) => line !== '');
}

/** Number of buckets of the table that bash lists. */
const BUCKETS = 512;

const complete: BuiltIn = async (call) => {
	const specification = await readSpecification(call);
	if (typeof specification === 'number') return specification;
	const { completions } = call.shell.host;
	const { flags, words } = specification;
	const places = ['D', 'E', 'I'].filter((flag) => flags.has(flag)).map((flag) => `-${flag}`);
	const names = [...places, ...words];
	if (flags.has('r')) {
		if (names.length === 0) completions.clear();
		let status = 0;
		for (const name of names) {
			if (completions.delete(name)) continue;
			await call.complain(`${name}: no completion specification`);
			status = 1;
		}
		return status;
	}
	const isPlain = specification.actions.size + specification.options.size + specification.values.size === 0;
	if (flags.has('p') || (isPlain && names.length === 0)) {
		let status = 0;
		const listed = inBashOrder(completions, BUCKETS).map(([name]) => name);
		for (const name of names.length ? names : listed) {
			const text = completions.get(name);
			if (text !== undefined) await call.out(`complete ${text}${name}\n`);
			else {
				await call.complain(`${name}: no completion specification`);
				status = 1;
			}
		}
		return status;
	}
	if (names.length === 0) {
		await call.complain('usage: complete [-abcdefgjksuv] [-pr] [-DEI] [-o option] [-A action] [name ...]');
		return 2;
	}
	for (const name of names) completions.set(name, printed(specification));
	return 0;
};

function printed({ options, actions, values }: Specification): string {
	const letterOf = (action: string) => Object.entries(LETTERS).find(([, known]) => known === action)?.[0];
	const short = ACTIONS.filter((action) => actions.has(action) && letterOf(action))
		.map((action) => `-${letterOf(action)}`)
		.sort();
	const long = ACTIONS.filter((action) => actions.has(action) && !letterOf(action)).map((action) => `-A ${action}`);
	const valued = ['G', 'W', 'P', 'S', 'X', 'C', 'F'].flatMap((letter) => {
		const value = values.get(letter);
		return value === undefined ? [] : [`-${letter} ${quoteWord(value, letter !== 'F')}`];
	});
	const parts = [
		...OPTIONS.filter((option) => options.has(option)).map((option) => `-o ${option}`),
		...short,
		...long,
		...valued
	];
	return parts.map((part) => `${part} `).join('');
}

const compopt: BuiltIn = async (call) => {
	const names: string[] = [];
	for (let at = 0; at < call.args.length; at++) {
		const word = call.args[at] ?? '';
		if (word === '-o' || word === '+o') {
			const option = call.args[++at] ?? '';
			if (!OPTIONS.includes(option)) {
				await call.complain(`${option}: invalid option name`);
				return 2;
			}
		} else if (!/^-[DEI]$/.test(word)) names.push(word);
	}
	if (names.length > 0) {
		const unknown = names.filter((name) => !call.shell.host.completions.has(name));
		for (const name of unknown) await call.complain(`${name}: no completion specification`);
		return unknown.length ? 1 : 0;
	}
	if (call.shell.variables.find('COMP_CWORD')) return 0;
	await call.complain('not currently executing completion function');
	return 1;
};

export const completionBuiltins: Record<string, BuiltIn> = { complete, compgen, compopt };
