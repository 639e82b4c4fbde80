import { commonPrefix } from '#computer/terminal/completion.ts';
import type { Completer } from '../readline/options.ts';
import { isIntrinsic } from '../vm-global.ts';
import { statementName } from './statement-name.ts';

type Done = Parameters<Completer>[1];

/** Parts of a prompt that completion uses. */
export interface CompletedPrompt {
	readonly context: object;
	readonly useGlobal: boolean;
	readonly commands: Record<string, unknown>;
	readonly libraries: readonly string[];
	readonly lexicalNames: string[];
	eval(code: string, context: object, name: string, done: (error: unknown, value?: unknown) => void): void;
}

const WORDS =
	'async await break case catch const continue debugger default delete do else export false finally for function if import in instanceof let new null return switch this throw true try typeof var void while with yield'.split(
		' '
	);
const MODULE = /\b(?:require|import)\s*\(\s*['"`](([\w@./:-]+\/)?(?:[\w@./:-]*))(?![^'"`])$/;
const EXPRESSION = /(?:[\w$'"`[{(](?:\w|\$|['"`\]})])*\??\.)*[a-zA-Z_$](?:\w|\$)*\??\.?$/;
/** Prototypes above an object whose names are offered. */
const LEVELS = 5;
const PREFIXED = ['node:sea', 'node:sqlite', 'node:test', 'node:test/reporters'];

/**
 * Completes a line: commands, modules, names of the scope, or of the object before the last dot. Only names and dots
 * are evaluated, so nothing but getters is called.
 */
export function completions(prompt: CompletedPrompt, typed: string, done: Done): void {
	const line = typed.trimStart();
	const command = /^\.(\w*)$/.exec(line)?.[1];
	if (command !== undefined) return done(null, ranked([Object.keys(prompt.commands)], command, command));
	const module = MODULE.exec(line)?.[1];
	if (module !== undefined) {
		const prefixed = [...prompt.libraries.map((name) => `node:${name}`), ...PREFIXED];
		return done(null, ranked([[...prompt.libraries], prefixed], module, module));
	}
	if (line !== '' && !/[\w.$]$/.test(line)) return done(null, [[], undefined as never]);
	const [word = ''] = EXPRESSION.exec(line) ?? [];
	if (line !== '' && word === '') return done(null, [[], undefined as never]);
	const dot = word.lastIndexOf('.');
	if (dot < 0) return done(null, ranked(scopeNames(prompt, word !== ''), word, word));
	const path = word.slice(0, dot);
	const holder = path.endsWith('?') ? path.slice(0, -1) : path;
	prompt.eval(`try { ${holder} } catch {}`, prompt.context, statementName(), (_error, value) => {
		const groups = memberNames(value).map((names) => names.map((name) => `${word.slice(0, dot + 1)}${name}`));
		done(null, ranked(groups, dot + 1 < word.length ? word : '', word));
	});
}

/** In the editor a completion is inserted as far as it is sure. */
export function editorCompletions(done: Done): Done {
	return (error, results) => {
		if (error || !results) return done(error);
		const [choices, completed = ''] = results;
		const all = choices.filter((choice) => choice !== '');
		done(null, [completed !== '' && all.length > 0 ? [commonPrefix(all)] : all, completed]);
	};
}

function scopeNames(prompt: CompletedPrompt, hasWords: boolean): string[][] {
	const groups = [prompt.lexicalNames];
	for (let from = Reflect.getPrototypeOf(prompt.context); from; from = Reflect.getPrototypeOf(from)) {
		groups.push(ownNames(from));
	}
	const own = ownNames(prompt.context);
	const builtins = prompt.useGlobal ? [] : Object.getOwnPropertyNames(globalThis).filter(isIntrinsic);
	groups.push([...own, ...builtins]);
	if (hasWords) groups.push([...WORDS]);
	return groups;
}

/** Names of a value and of what it inherits from, one group each. */
function memberNames(value: unknown): string[][] {
	const groups: string[][] = [];
	try {
		let from: object | null = value === undefined || value === null ? null : Object(value);
		if (from && typeof value !== 'object' && typeof value !== 'function') from = Reflect.getPrototypeOf(from);
		for (let level = 0; from && level <= LEVELS; level++) {
			groups.push(ownNames(from));
			from = Reflect.getPrototypeOf(from);
		}
	} catch {
		// A proxy whose handler throws has no names.
	}
	return groups;
}

function ownNames(holder: object): string[] {
	const isObjectPrototype = holder === Object.prototype;
	return Object.getOwnPropertyNames(holder).filter(
		(name) =>
			/^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u.test(name) && !(isObjectPrototype && /^__[dl]/.test(name))
	);
}

/** Sorts each group, the nearest one last, with an empty name between groups. */
function ranked(groups: string[][], filter: string, completed: string): [string[], string] {
	const start = filter.toLocaleLowerCase();
	const seen = new Set(['']);
	let choices: string[] = [];
	for (const group of groups) {
		const names = group.filter((name) => name.toLocaleLowerCase().startsWith(start) && !seen.has(name));
		if (names.length === 0) continue;
		for (const name of names) seen.add(name);
		const sorted = [...new Set(names)].sort((a, b) => (a < b ? -1 : 1));
		choices = choices.length > 0 ? [...sorted, '', ...choices] : sorted;
	}
	return [choices, completed];
}
