import { isCharacterDevice } from '#computer/abi/special-files.ts';
import { globRegExp } from '#computer/shell/expansion/pattern.ts';
import type { Call } from '#computer/shell/state/host.ts';
import type { Entry } from './entry.ts';

/** Default colors by GNU's two-letter codes, unless LS_COLORS overrides them. */
const USUAL: Readonly<Record<string, string | null>> = {
	...{ lc: '\x1b[', rc: 'm', ec: null, rs: '0', no: null, fi: null, di: '01;34', ln: '01;36', pi: '33', so: '01;35' },
	...{ bd: '01;33', cd: '01;33', mi: null, or: null, ex: '01;32', do: '01;35', su: '37;41', sg: '30;43', st: '37;44' },
	...{ ow: '34;42', tw: '30;42', ca: null, mh: null, cl: '\x1b[K' }
};

/** Terminals known to support colors. */
const TERMINALS =
	'Eterm ansi *color* con[0-9]*x[0-9]* cons25 console cygwin *direct* dtterm gnome hurd jfbterm konsole kterm linux linux-c ' +
	'mlterm putty rxvt* screen* st terminator tmux* vt100 xterm*';

/** Escapes in a value of LS_COLORS. */
const ESCAPES: Readonly<Record<string, string>> = {
	...{ a: '\x07', b: '\b', e: '\x1b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', '?': '\x7f', _: ' ' }
};

/** Colors of names, and the sequences that switch them on and off. */
export class Colours {
	#isUsed = false;

	private constructor(
		private readonly codes: Readonly<Record<string, string | null>>,
		private readonly suffixes: readonly [suffix: string, code: string][],
		private readonly isLikeTarget: boolean
	) {}

	/** Colors from LS_COLORS, else the defaults if the terminal supports any; null for none. */
	static from(call: Call): Colours | null {
		const text = call.shell.variables.exported('LS_COLORS');
		if (!text) {
			const terminal = call.shell.variables.exported('TERM') ?? '';
			const isKnown = TERMINALS.split(' ').some((pattern) => globRegExp(pattern).test(terminal));
			return call.shell.variables.exported('COLORTERM') || isKnown ? new Colours(USUAL, [], false) : null;
		}
		const codes: Record<string, string | null> = { ...USUAL };
		const suffixes: [string, string][] = [];
		for (const entry of text.split(':').filter(Boolean)) {
			const [, name, value] = /^(\*[^=]*|[^=]{2})=(.*)$/s.exec(entry) ?? [];
			const isKnown = name !== undefined && (name.startsWith('*') || name in USUAL);
			if (value === undefined || name === undefined || !isKnown) {
				if (name !== undefined) void call.complain(`unrecognized prefix: '${name}'`);
				void call.complain('unparsable value for LS_COLORS environment variable');
				return null;
			}
			if (name.startsWith('*')) suffixes.unshift([unescaped(name.slice(1)).toLowerCase(), unescaped(value)]);
			else codes[name] = unescaped(value);
		}
		const isLikeTarget = codes['ln'] === 'target';
		return new Colours(codes, suffixes, isLikeTarget);
	}

	/** True if `ls` must stat the targets of links. */
	get needsTargets(): boolean {
		return this.#has('or') || this.#has('mi') || this.isLikeTarget;
	}

	#has(name: string): boolean {
		const code = this.codes[name];
		return code !== null && code !== undefined && !/^0{0,2}$/.test(code);
	}

	/** Code of an entry, or of the target of its link; null for none. */
	codeOf(entry: Entry, isTarget: boolean): string | null {
		const { stat, target } = entry;
		const isFollowed = isTarget || (this.isLikeTarget && target?.stat);
		const looked = isFollowed ? target?.stat : stat;
		if (isTarget && !target?.stat && this.#has('mi')) return this.codes['mi'] ?? null;
		if (!looked) return (isTarget ? this.codes['or'] : this.codes[stat ? 'or' : 'fi']) ?? null;
		let type = typeOf(looked, (name) => this.#has(name));
		if (type === 'ln' && !target?.stat && this.needsTargets && (this.isLikeTarget || this.#has('or'))) type = 'or';
		if (type === 'ln' && this.isLikeTarget) return null;
		const name = (isTarget ? target?.name : entry.name) ?? '';
		const suffix = type === 'fi' ? this.suffixes.find(([end]) => name.toLowerCase().endsWith(end)) : undefined;
		return suffix ? suffix[1] : (this.codes[type] ?? null);
	}

	/** Code before text that is not a name. */
	normal(): string {
		return this.#has('no') ? this.#put(this.#between('no')) : '';
	}

	/** Returns a displayed name in the color of its entry; `wraps`: it may reach the next line. */
	paint(shown: string, code: string | null, wraps: boolean): string {
		if (code === null && !this.#has('no')) return shown;
		const start = code === null ? '' : this.#put(`${this.#has('no') ? this.#restore() : ''}${this.#wrap(code)}`);
		return `${start}${shown}${this.#reset()}${wraps ? (this.codes['cl'] ?? '') : ''}`;
	}

	/** Code at the end of the output. */
	end(): string {
		return this.#isUsed && (this.codes['lc'] !== '\x1b[' || this.codes['rc'] !== 'm') ? this.#restore() : '';
	}

	#put(text: string): string {
		if (this.#isUsed) return text;
		this.#isUsed = true;
		return `${this.#reset()}${text}`;
	}

	#between = (name: string): string => this.#wrap(this.codes[name] ?? '');
	#wrap = (code: string): string => `${this.codes['lc'] ?? ''}${code}${this.codes['rc'] ?? ''}`;
	#reset = (): string => this.codes['ec'] ?? this.#between('rs');
	#restore = (): string => this.#wrap('');
}

function unescaped(text: string): string {
	return text.replace(/\\(x[\da-f]{1,2}|[0-7]{1,3}|.)|\^(.)/gis, (_whole, escape?: string, control?: string) => {
		if (control !== undefined) return control === '?' ? '\x7f' : String.fromCharCode(control.charCodeAt(0) & 31);
		if (/^[0-7]/.test(escape ?? '')) return String.fromCharCode(parseInt(escape ?? '', 8));
		if (/^x[\da-f]/i.test(escape ?? '')) return String.fromCharCode(parseInt((escape ?? '').slice(1), 16));
		return ESCAPES[escape ?? ''] ?? escape ?? '';
	});
}

function typeOf({ kind, mode, links }: NonNullable<Entry['stat']>, has: (name: string) => boolean): string {
	const first = (...types: [name: string, isThis: boolean][]) =>
		types.find(([name, isThis]) => isThis && has(name))?.[0];
	if (kind === 'symlink') return 'ln';
	if (kind === 'fifo') return 'pi';
	if (kind === 'socket') return 'so';
	if (kind === 'directory') {
		const [isSticky, isOpen] = [(mode & 0o1000) !== 0, (mode & 0o002) !== 0];
		return first(['tw', isSticky && isOpen], ['ow', isOpen], ['st', isSticky]) ?? 'di';
	}
	if (isCharacterDevice({ mode })) return 'cd';
	const isRunnable = (mode & 0o111) !== 0;
	return (
		first(['su', (mode & 0o4000) !== 0], ['sg', (mode & 0o2000) !== 0], ['ex', isRunnable], ['mh', links > 1]) ?? 'fi'
	);
}
