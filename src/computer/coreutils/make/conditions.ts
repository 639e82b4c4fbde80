import { expand } from './expand.ts';
import type { Expansion } from './expansion.ts';
import { MakeFailure } from './failure.ts';
import { closing, splitOutside } from './names.ts';

interface Branch {
	/** Set if its lines are read now. */
	active: boolean;
	/** Set if one of its branches has been read. */
	taken: boolean;
	/** Set if the surrounding condition is active. */
	outer: boolean;
}

/** The `ifeq` … `endif` around the line being read. */
export class Conditions {
	#open: Branch[] = [];

	get isActive(): boolean {
		return this.#open.at(-1)?.active ?? true;
	}

	get isOpen(): boolean {
		return this.#open.length > 0;
	}

	/** Takes a line that belongs to a condition; false for any other. @throws MakeFailure */
	async take(scope: Expansion, line: string): Promise<boolean> {
		const [, word = '', rest = ''] = /^(ifeq|ifneq|ifdef|ifndef|else|endif)\b\s*(.*)$/s.exec(line.trim()) ?? [];
		if (word === '') return false;
		const top = this.#open.at(-1);
		if (word === 'endif' || word === 'else') {
			if (!top) throw new MakeFailure(`extraneous '${word}'.  Stop.`, scope.place());
			if (word === 'endif') this.#open.pop();
			else {
				const free = top.outer && !top.taken;
				top.active = free && (rest === '' || (await holds(scope, rest)));
				top.taken ||= top.active;
			}
			return true;
		}
		const outer = this.isActive;
		const active = outer && (await holds(scope, line.trim()));
		this.#open.push({ active, taken: active, outer });
		return true;
	}
}

async function holds(scope: Expansion, line: string): Promise<boolean> {
	const [, word = '', rest = ''] = /^(ifeq|ifneq|ifdef|ifndef)\b\s*(.*?)\s*$/s.exec(line) ?? [];
	if (word === 'ifdef' || word === 'ifndef') {
		const name = await expand(scope, rest);
		return ((scope.variables.find(name)?.value ?? '') !== '') === (word === 'ifdef');
	}
	const quoted = /^(["'])(.*?)\1\s*(["'])(.*?)\3$/s.exec(rest);
	const [left = '', right = ''] = quoted
		? [quoted[2], quoted[4]]
		: rest.startsWith('(')
			? splitOutside(rest.slice(1, closing(rest, 0)), ',', 2)
			: [];
	if (!quoted && !rest.startsWith('(')) throw new MakeFailure('invalid syntax in conditional.  Stop.', scope.place());
	const trim = (text: string) => (quoted ? text : text.trim());
	return ((await expand(scope, trim(left))) === (await expand(scope, trim(right)))) === (word === 'ifeq');
}
