import type { ArrayElement, Word } from '../ast/nodes.ts';
import { assignArray, assignText, expandElements } from '../execution/assignments.ts';
import { expandToText, expandWords } from '../expansion/word.ts';
import { parse, parseWord } from '../parser/parse.ts';
import { quoteSubscript, subscriptEnd } from '../parser/subscript.ts';
import { isExpandedOnce } from '../expansion/subscripts.ts';
import { ShellSyntaxError } from '../parser/error.ts';
import { quoteWord } from '../expansion/quote.ts';
import { BadSubscript, ShellError } from '../state/control.ts';
import type { Shell } from '../state/shell.ts';
import { ReadonlyVariable, type Variable } from '../state/variables.ts';
import { encode } from '#computer/process/text.ts';
import { arrayText, describe, describePosix } from './describe.ts';
import { declareFunctions, listFunctions } from './functions.ts';
import { isOptionOn } from './settings.ts';
import { describedVariable, listedVariables } from './listed-variables.ts';
import { usageOf } from './usage.ts';

/** Builtins whose arguments may be assignments (including arrays) and are not split. */
export const DECLARATIONS = new Set(['declare', 'typeset', 'local', 'export', 'readonly']);

/** Number of buckets of an associative array that was a scalar before. */
const CONVERTED_BUCKETS = 128;

type Flag = 'exported' | 'readonly' | 'integer' | 'lower' | 'upper' | 'capital' | 'reference' | 'trace';
const FLAGS: Record<string, Flag> = {
	x: 'exported',
	r: 'readonly',
	i: 'integer',
	l: 'lower',
	u: 'upper',
	c: 'capital',
	n: 'reference',
	t: 'trace'
};
const LETTERS: Record<string, RegExp> = {
	export: /^[aAfnp]+$/,
	readonly: /^[aAfnp]+$/,
	local: /^[aAilnrtuxcIp]+$/,
	declare: /^[aAfFgiIlnprtuxc]+$/
};

/** Name with the value assigned to it. */
interface Item {
	name: string;
	subscript: string | null;
	append: boolean;
	text: string | null;
	array: readonly ArrayElement[] | null;
	/** Set if the elements are text from an expansion. */
	isText?: boolean;
}

/** `declare`, `local`, `export`, `readonly`. */
export async function declareWithArrays(shell: Shell, name: string, args: readonly Word[]): Promise<number> {
	return (await prepareDeclaration(shell, name, args)).declare();
}

/** Expands the arguments of a declaration. The result runs the declaration; `lastWord` is the new value of `$_`. */
export async function prepareDeclaration(
	shell: Shell,
	name: string,
	args: readonly Word[]
): Promise<{ declare: () => Promise<number>; lastWord: string }> {
	const declaration = new Declaration(shell, name);
	const items = await declaration.read(args);
	const last = items?.at(-1);
	return { declare: () => declaration.run(items), lastWord: last === undefined ? name : wordOf(last) };
}

/** Formats an argument as `$_` contains it. */
function wordOf(item: Item | string): string {
	if (typeof item === 'string') return item;
	const { name, subscript, append, text, array } = item;
	if (array) return name;
	return `${name}${subscript === null ? '' : `[${subscript}]`}${append ? '+' : ''}=${text ?? ''}`;
}

class Declaration {
	private readonly builtin: string;
	readonly #flags = new Set<string>();
	#attributes: Partial<Record<Flag, boolean>> = {};
	#optionsEnded = false;

	constructor(
		private readonly shell: Shell,
		/** Name by which the builtin was called. */
		private readonly called: string
	) {
		const builtin = called === 'typeset' ? 'declare' : called;
		this.builtin = builtin;
		if (builtin === 'export') this.#attributes.exported = true;
		if (builtin === 'readonly') this.#attributes.readonly = true;
	}

	/** Parses the arguments after the options; null if an option is invalid. */
	async read(args: readonly Word[]): Promise<(Item | string)[] | null> {
		const items: (Item | string)[] = [];
		for (const word of args) {
			if (word.assignment) {
				const { name, subscript, append, value, array } = word.assignment;
				const text = value ? await expandToText(this.shell, value) : null;
				if (subscript !== null && !array) {
					// The builtin receives the element's name as text, whose subscript it expands itself.
					const key = await expandToText(this.shell, parseWord(subscript, 'subscript'));
					const isKey = isExpandedOnce(this.shell, name) && !key.includes(']');
					items.push(`${name}[${isKey ? quoteSubscript(key) : key}]${append ? '+' : ''}=${text ?? ''}`);
				} else items.push(this.#withElements({ name, subscript, append, array, text }));
				continue;
			}
			for (const text of await expandWords(this.shell, [word])) {
				if (!this.#optionsEnded && items.length === 0 && /^[-+]./.test(text)) {
					if (!this.#option(text)) return null;
				} else items.push(text);
			}
		}
		return items;
	}

	async run(items: (Item | string)[] | null): Promise<number> {
		if (!items) return 2;
		const flags = this.#flags;
		if (flags.has('f') || flags.has('F')) {
			const misused = [...flags].find((flag) => /^[aAiluc]$/.test(flag));
			if (this.builtin === 'declare' && misused !== undefined) {
				this.shell.complain(`${this.called}: -${misused}: invalid option`);
				return 1;
			}
			if (this.builtin === 'declare' && items.some((item) => typeof item !== 'string' || item.includes('='))) {
				this.shell.complain(`${this.called}: cannot use \`-f' to make functions`);
				return 1;
			}
			const names = items.map(wordOf);
			return declareFunctions(this.shell, this.builtin, names, flags);
		}
		if (this.builtin === 'local' && !this.shell.variables.isInFunction) {
			this.shell.complain('local: can only be used in a function');
			return 1;
		}
		if (items.length === 0) return this.#list();
		let status = 0;
		for (const item of items) status = (await this.#one(item)) || status;
		return status;
	}

	#option(text: string): boolean {
		if (text === '--') {
			this.#optionsEnded = true;
			return true;
		}
		const allowed = LETTERS[this.builtin];
		if (!allowed?.test(text.slice(1))) {
			this.shell.complain(`${this.called}: ${text.slice(0, 2)}: invalid option\n${usageOf(this.called).trimEnd()}`);
			return false;
		}
		const on = text[0] === '-';
		for (const letter of text.slice(1)) {
			this.#flags.add(on ? letter : `+${letter}`);
			if (this.builtin === 'export' && letter === 'n') this.#attributes.exported = false;
			else if (this.builtin === 'readonly' && letter === 'n') delete this.#attributes.readonly;
			else {
				const flag = FLAGS[letter];
				if (flag) this.#attributes[flag] = on;
			}
		}
		return true;
	}

	async #one(given: Item | string): Promise<number> {
		const { shell, builtin } = this;
		if (given === '-' && builtin === 'local') {
			const [call] = shell.calls;
			if (call) call.options ??= { ...shell.options, ignoreeof: isOptionOn(shell, 'ignoreeof') };
			return 0;
		}
		const item = typeof given === 'string' ? this.#itemOf(given) : given;
		if (!item) {
			shell.complain(`${this.called}: \`${String(given)}': not a valid identifier`);
			return 1;
		}
		const isStrict = builtin === 'export' || builtin === 'readonly';
		if (isStrict && item.subscript !== null) {
			shell.complain(`${this.called}: \`${item.name}[${item.subscript}]': not a valid identifier`);
			return 1;
		}
		if (this.#flags.has('p') && builtin !== 'export' && builtin !== 'readonly') return this.#show(item);
		const isGlobal = builtin === 'export' || builtin === 'readonly' || this.#flags.has('g');
		try {
			const inherits = this.#flags.has('I') || shell.shopt.has('localvar_inherit');
			if (!isGlobal) await this.#makeLocal(item, inherits);
			const { exported, readonly } = this.#attributes;
			const isLocal = shell.variables.isInFunction && !this.#flags.has('g');
			if (exported || readonly || isLocal) shell.variables.keepDeclared(item.name, isStrict);
			if (!this.#flags.has('g')) return await this.#apply(item);
			return await this.#applyGlobally(item);
		} catch (error) {
			if (!(error instanceof ReadonlyVariable) && !(error instanceof BadSubscript)) throw error;
			shell.endsPosix = error instanceof ReadonlyVariable;
			shell.complain(error instanceof BadSubscript ? error.message : `${this.called}: ${error.message}`);
			return 1;
		}
	}

	/** Hides the variable of that name. Elements are expanded while it is still visible. */
	async #makeLocal(item: Item, inherits: boolean): Promise<void> {
		const { shell } = this;
		if (item.array && shell.variables.isInFunction) {
			const isAssociative = this.#flags.has('A') || shell.variables.find(item.name)?.associative !== undefined;
			item.array = await expandElements(shell, item.array, isAssociative);
		}
		try {
			shell.variables.makeLocal(item.name, inherits);
		} catch (error) {
			if (!(error instanceof ReadonlyVariable) || !item.array || item.isText) throw error;
			// bash assigns the elements before the builtin runs, which reports the same error again.
			shell.complain(error.message);
			throw error;
		}
	}

	async #applyGlobally(item: Item): Promise<number> {
		const put = this.shell.variables.showGlobal(item.name);
		try {
			return await this.#apply(item);
		} finally {
			put();
		}
	}

	/** `name=value` from an expansion. */
	#itemOf(text: string): Item | null {
		const name = /^[A-Za-z_]\w*/.exec(text)?.[0];
		if (name === undefined) return null;
		const end = text[name.length] === '[' ? subscriptEnd(text, name.length) : name.length - 1;
		const assigned = /^(?:(\+?)=(.*))?$/s.exec(text.slice(end + 1));
		if (end < 0 || !assigned) return null;
		const [, append = '', value] = assigned;
		const subscript = end < name.length ? null : text.slice(name.length + 1, end);
		const item = { name, subscript, append: append === '+', text: value ?? null, array: null };
		return this.#withElements(item);
	}

	/** Parses text in parentheses as elements if it is assigned to an array. */
	#withElements(item: Item): Item {
		const { name, subscript, text } = item;
		const isArray = this.#flags.has('a') || this.#flags.has('A');
		if (text === null || !/^\(.*\)$/s.test(text)) return item;
		const variable = this.shell.variables.find(name);
		if (subscript !== null && !isArray) {
			if (!variable && !this.shell.variables.isInFunction)
				this.shell.complain(`warning: ${name}[${subscript}]=${text}: quoted compound array assignment deprecated`);
			return item;
		}
		const declares = this.builtin === 'declare' || this.builtin === 'local';
		const isKnown = declares && (variable?.indexed !== undefined || variable?.associative !== undefined);
		const array = isKnown || isArray ? elementsOf(text) : null;
		return array ? { ...item, subscript: null, text: null, array, isText: true } : item;
	}

	async #apply({ name, subscript, append, text, array, isText = false }: Item): Promise<number> {
		const { shell, builtin } = this;
		const { readonly, reference, ...early } = this.#attributes;
		if (reference === true) return this.#refer(name, text);
		if (reference === false) {
			const variable = shell.variables.raw(name);
			if (variable) variable.reference = false;
			return 0;
		}
		const known = shell.variables.find(name);
		if (known?.readonly && (text !== null || array || readonly === false)) {
			// Elements written in the command are assigned before the builtin runs.
			if (array && !isText) throw new ShellError(`${name}: readonly variable`, 1, 'line');
			const isDeclared = isText || (builtin !== 'readonly' && builtin !== 'export');
			shell.complain(`${isDeclared ? `${this.called}: ` : ''}${name}: readonly variable`);
			shell.endsPosix = true;
			return 1;
		}
		const variable = shell.variables.declare(name, early);
		if (early.lower) variable.upper = variable.capital = false;
		if (early.upper) variable.lower = variable.capital = false;
		const isBare = builtin === 'readonly' && text === null && !array;
		const isNamedElement = subscript !== null && text === null && !variable.associative;
		if (!isBare && !this.#shape(variable, name, isNamedElement, array !== null && !isText)) return 1;
		if (array) await assignArray(shell, name, array, append);
		else if (text !== null) {
			const isElement = subscript !== null;
			await assignText(shell, isElement ? `${name}[${subscript}]` : name, text, append);
		}
		if (readonly) variable.readonly = true;
		return 0;
	}

	/** Converts the variable to an array if requested. */
	#shape(variable: Variable, name: string, isIndexed: boolean, hasElements: boolean): boolean {
		if (this.#flags.has('A')) {
			if (variable.indexed) {
				const fault = `${name}: cannot convert indexed to associative array`;
				const [call] = this.shell.calls;
				// Elements written in the command are assigned before the builtin runs.
				if (hasElements && call?.isFunction) this.shell.complain(`${call.name}: ${fault}`);
				this.shell.complain(`${this.called}: ${fault}`);
				return false;
			}
			if (!variable.associative) {
				if (variable.value !== undefined) variable.buckets = CONVERTED_BUCKETS;
				variable.associative = new Map(variable.value === undefined ? [] : [['0', variable.value]]);
				variable.isUnset = variable.value === undefined;
				variable.value = undefined;
			}
		} else if (this.#flags.has('a') || isIndexed) {
			if (variable.associative) {
				this.shell.complain(`${this.called}: ${name}: cannot convert associative to indexed array`);
				return false;
			}
			if (!variable.indexed) {
				variable.indexed = new Map(variable.value === undefined ? [] : [[0, variable.value]]);
				variable.isUnset = variable.value === undefined;
				variable.value = undefined;
			}
		} else if ((this.#flags.has('+a') && variable.indexed) || (this.#flags.has('+A') && variable.associative)) {
			this.shell.complain(`${this.called}: ${name}: cannot destroy array variables in this way`);
			return false;
		}
		return true;
	}

	#refer(name: string, target: string | null): number {
		const { shell } = this;
		const complain = (message: string) => {
			shell.complain(`${this.called}: ${message}`);
			return 1;
		};
		const known = shell.variables.raw(name);
		if (known?.indexed || known?.associative) return complain(`${name}: reference variable cannot be an array`);
		const value = target ?? known?.value;
		if (value !== undefined && value !== '' && !/^[A-Za-z_]\w*(\[.+\])?$/s.test(value))
			return complain(`\`${value}': invalid variable name for name reference`);
		if (value === name && !shell.variables.isInFunction)
			return complain(`${name}: nameref variable self references not allowed`);
		if (value === name) shell.complain(`${this.called}: warning: ${name}: circular name reference`);
		const { exported, readonly } = this.#attributes;
		const variable = shell.variables.declare(name, { reference: true });
		if (value !== undefined) variable.value = value;
		if (exported !== undefined) variable.exported = exported;
		if (readonly) variable.readonly = true;
		return 0;
	}

	async #show({ name, subscript }: Item): Promise<number> {
		const isHidden = this.builtin === 'local' && !this.shell.variables.localNames().includes(name);
		const variable = isHidden ? undefined : describedVariable(this.shell, name);
		if (!variable || subscript !== null) {
			const place = subscript === null ? name : `${name}[${subscript}]`;
			this.shell.complain(`${this.called}: ${place}: not found`);
			return 1;
		}
		await this.#write(`${describe(name, variable)}\n`);
		return 0;
	}

	/** Lists all variables with the requested attributes. */
	async #list(): Promise<number> {
		const { variables } = this.shell;
		const wanted = Object.values(FLAGS).filter((flag) => this.#attributes[flag] === true);
		const isPlain = wanted.length === 0 && !/[pgaA]/.test([...this.#flags].join(''));
		const isLocal = this.builtin === 'local';
		const locals = () => variables.localNames().map((name) => [name, variables.described(name)] as const);
		let text = '';
		for (const [name, variable] of isLocal ? locals() : listedVariables(this.shell)) {
			if (!variable || !wanted.every((flag) => variable[flag])) continue;
			if ((this.#flags.has('a') && !variable.indexed) || (this.#flags.has('A') && !variable.associative)) continue;
			if (isPlain && !isLocal) text += setLine(name, variable);
			else if (this.shell.options.posix && (this.builtin === 'export' || this.builtin === 'readonly'))
				text += `${describePosix(this.builtin, name, variable)}\n`;
			else text += `${describe(name, variable)}\n`;
		}
		if (isPlain && !isLocal && !this.shell.options.posix) text += listFunctions(this.shell);
		await this.#write(text);
		return 0;
	}

	async #write(text: string): Promise<void> {
		await this.shell.descriptors.get(1)?.write(encode(text));
	}
}

/** Formats a variable as `set` and `declare` without options print it; empty if it has no value. */
export function setLine(name: string, variable: Variable): string {
	if (variable.indexed || variable.associative) return variable.isUnset ? '' : `${name}=${arrayText(variable)}\n`;
	return variable.value === undefined ? '' : `${name}=${quoteWord(variable.value)}\n`;
}

/** Parses the elements in parentheses that come from an expansion. */
function elementsOf(text: string): readonly ArrayElement[] | null {
	try {
		const command = parse(`a=${text}`).statements[0]?.pipelines[0]?.commands[0];
		return command?.type === 'SimpleCommand' ? (command.assignments[0]?.array ?? null) : null;
	} catch (error) {
		if (error instanceof ShellSyntaxError) return null;
		throw error;
	}
}
