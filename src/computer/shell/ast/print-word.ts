import { shellWord } from '#environment/shell-word.ts';
import type { Assignment, Conditional, Part, Script, Word } from './nodes.ts';

/** Words as bash prints them in a function; `script` prints the commands of a substitution. */
export class WordPrinter {
	constructor(private readonly script: (script: Script) => string) {}

	word(word: Word): string {
		return word.assignment ? this.assignment(word.assignment) : this.parts(word.parts);
	}

	assignment({ name, subscript, append, value, array }: Assignment): string {
		const head = `${name}${subscript === null ? '' : `[${subscript}]`}${append ? '+' : ''}=`;
		if (!array) return head + (value ? this.word(value) : '');
		const elements = array.map(
			(element) =>
				(element.key === null ? '' : `[${element.key}]${element.append ? '+' : ''}=`) + this.word(element.value)
		);
		return `${head}(${elements.join(' ')})`;
	}

	parts(parts: readonly Part[]): string {
		return parts.map((part) => this.#part(part)).join('');
	}

	conditional(node: Conditional): string {
		switch (node.type) {
			case 'CondWord':
				return `-n ${this.word(node.word)}`;
			case 'CondUnary':
				return `${node.operator} ${this.word(node.operand)}`;
			case 'CondBinary':
				return `${this.word(node.left)} ${node.operator} ${this.word(node.right)}`;
			case 'CondNot':
				return `! ${this.conditional(node.operand)}`;
			case 'CondGroup':
				return `( ${this.conditional(node.operand)} )`;
			case 'CondAnd':
			case 'CondOr':
				return `${this.conditional(node.left)} ${node.type === 'CondAnd' ? '&&' : '||'} ${this.conditional(node.right)}`;
		}
	}

	#part(part: Part): string {
		switch (part.type) {
			case 'Literal':
				return part.value;
			case 'SingleQuoted':
				return shellWord(part.value);
			case 'DoubleQuoted':
				return `"${this.parts(part.parts)}"`;
			case 'Escaped':
				return `\\${part.value}`;
			case 'Tilde':
				return `~${part.user}`;
			case 'Parameter':
			case 'Backquoted':
			case 'ArithmeticExpansion':
			case 'Subscript':
				return part.text;
			case 'CommandSubstitution': {
				const text = this.script(part.body);
				return `$(${text.startsWith('(') ? ' ' : ''}${text})`;
			}
			case 'ProcessSubstitution':
				return `${part.direction}(${this.script(part.body)})`;
		}
	}
}
