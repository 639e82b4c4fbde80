import { fatal } from '../errors.ts';

/** Token of a search: a pattern, or an operator that combines patterns. */
export type SearchWord = { kind: 'pattern'; regex: RegExp } | { kind: 'and' | 'or' | 'not' | '(' | ')' };

/** Condition that lines are searched for. */
export type Expression =
	| { kind: 'pattern'; regex: RegExp }
	| { kind: 'not'; of: Expression }
	| { kind: 'and' | 'or'; of: readonly Expression[] };

/** Parses a search: `--not` binds tightest, then `--and`; adjacent patterns are alternatives. @throws GitError */
export function parseExpression(words: readonly SearchWord[]): Expression {
	const parser = new Parser(words);
	const whole = parser.alternatives();
	if (!parser.isAtEnd) throw fatal('unmatched ) for expression group');
	return whole;
}

class Parser {
	#at = 0;

	constructor(private readonly words: readonly SearchWord[]) {}

	get isAtEnd(): boolean {
		return this.#at >= this.words.length;
	}

	alternatives(): Expression {
		const all = [this.#conjunction()];
		while (!this.isAtEnd && this.words[this.#at]!.kind !== ')') {
			if (this.words[this.#at]!.kind === 'or') this.#at++;
			all.push(this.#conjunction());
		}
		return all.length === 1 ? all[0]! : { kind: 'or', of: all };
	}

	#conjunction(): Expression {
		const all = [this.#negation()];
		while (this.words[this.#at]?.kind === 'and') {
			this.#at++;
			if (this.isAtEnd) throw fatal('--and not followed by pattern expression');
			all.push(this.#negation());
		}
		return all.length === 1 ? all[0]! : { kind: 'and', of: all };
	}

	#negation(): Expression {
		if (this.words[this.#at]?.kind !== 'not') return this.#atom();
		this.#at++;
		if (this.isAtEnd) throw fatal('--not not followed by pattern expression');
		return { kind: 'not', of: this.#negation() };
	}

	#atom(): Expression {
		const word = this.words[this.#at++];
		if (word?.kind === 'pattern') return word;
		if (word?.kind !== '(') throw fatal(`not a pattern expression ${word?.kind ?? ''}`.trimEnd());
		const inner = this.alternatives();
		if (this.words[this.#at++]?.kind !== ')') throw fatal('unmatched ( for expression group');
		return inner;
	}
}

/** Result for one line: whether it matches, and the first match of plain and of negated patterns. */
export interface Found {
	isHit: boolean;
	/** Position of the first match; null for none. */
	at: number | null;
	/** Same for negated patterns. */
	negatedAt: number | null;
}

/** Evaluates an expression on a line. */
export function evaluate(expression: Expression, line: string): Found {
	const places = { plain: null as number | null, negated: null as number | null };
	const visit = (one: Expression, isNegated: boolean): boolean => {
		switch (one.kind) {
			case 'pattern': {
				one.regex.lastIndex = 0;
				const found = one.regex.exec(line);
				if (!found) return false;
				const side = isNegated ? 'negated' : 'plain';
				places[side] = Math.min(places[side] ?? Infinity, found.index);
				return true;
			}
			case 'not':
				return !visit(one.of, !isNegated);
			case 'and':
				// All are evaluated: the position of a match is needed even if another part does not match.
				return one.of.map((part) => visit(part, isNegated)).every(Boolean);
			case 'or':
				return one.of.map((part) => visit(part, isNegated)).some(Boolean);
		}
	};
	const isHit = visit(expression, false);
	return { isHit, at: places.plain, negatedAt: places.negated };
}

/** All patterns of an expression, to highlight their matches. */
export function patternsOf(expression: Expression): RegExp[] {
	if (expression.kind === 'pattern') return [expression.regex];
	return expression.kind === 'not' ? patternsOf(expression.of) : expression.of.flatMap(patternsOf);
}
