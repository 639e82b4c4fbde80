import type { CaseItem, Operator, Redirection, Shape, Written } from './nodes.ts';

/** Columns that a level moves in. */
const UNIT = 4;

/** Writes commands in the layout in which bash prints a function. */
export class Printer {
	text = '';
	#indent = 0;
	/** Here-documents of the line being written. */
	#bodies: string[] = [];
	/** Whether a here-document's end stands in for the next `;`. */
	#afterBody = false;

	/** @param layout in a function each command has a line of its own; in an exported one without more depth than one */
	constructor(private readonly layout: 'function' | 'exported' | 'line') {}

	/** A function's body in braces. */
	body(body: Written): void {
		const group = body.shape.type === 'group';
		this.command(group ? body : { shape: { type: 'group', body }, prefix: '', redirections: [] });
	}

	command(command: Written): void {
		this.text += command.prefix;
		this.#shape(command.shape);
		this.#redirections(command.redirections, command.shape);
	}

	/** Here-documents that nothing has called for yet. */
	rest(): void {
		if (this.#bodies.length) this.#hereDocuments('');
	}

	#shape(shape: Shape): void {
		switch (shape.type) {
			case 'words':
				this.text += shape.words.join(' ');
				return;
			case 'joined':
				return this.#joined(shape.operator, shape.left, shape.right);
			case 'subshell':
				this.text += '( ';
				this.command(shape.body);
				this.rest();
				this.text += ' )';
				return;
			case 'group':
				return this.#group(shape.body);
			case 'function':
				this.text += `function ${shape.name} () `;
				this.#line();
				return this.body(shape.body);
			case 'if':
				return this.#if(shape);
			case 'loop':
				this.text += `${shape.word} `;
				this.command(shape.condition);
				this.#semicolon();
				this.text += ' do';
				return this.#block(shape.body, 'done');
			case 'for':
				this.text += `${shape.word} ${shape.variable} in ${shape.words.join(' ')};`;
				this.#line('do');
				return this.#block(shape.body, 'done');
			case 'count':
				this.text += shape.head;
				this.#line('do');
				return this.#block(shape.body, 'done');
			case 'case':
				return this.#case(shape.word, shape.items);
		}
	}

	#joined(operator: Operator, left: Written, right: Written | null): void {
		this.command(left);
		if (operator === '&') this.text += right ? ' & ' : ' &';
		else if (operator === ';') {
			if (this.#bodies.length) this.#hereDocuments('');
			else if (this.#afterBody) this.#afterBody = false;
			else this.text += ';';
			if (this.layout !== 'line') this.#line();
			else this.text += ' ';
		} else if (operator === '|') {
			if (this.#bodies.length) this.#hereDocuments(' |');
			else this.text += ' |';
			this.text += ' ';
		} else if (this.#bodies.length) this.#hereDocuments(` ${operator} `);
		else this.text += ` ${operator} `;
		if (right) this.command(right);
		this.rest();
	}

	#group(body: Written): void {
		this.text += '{ ';
		if (this.layout === 'line') {
			this.command(body);
			this.rest();
			this.#semicolon();
			this.text += ' }';
		} else this.#block(body, '}', false);
	}

	#if({ condition, body, otherwise }: Extract<Shape, { type: 'if' }>): void {
		this.text += 'if ';
		this.command(condition);
		this.#semicolon();
		this.text += ' then';
		this.#block(body, otherwise ? 'else' : 'fi');
		if (otherwise) this.#block(otherwise, 'fi');
	}

	#case(word: string, items: CaseItem[]): void {
		this.text += `case ${word} in `;
		this.#indent += UNIT;
		for (const { patterns, body, end } of items) {
			this.#line(`${patterns.join(' | ')})`);
			this.#indent += UNIT;
			this.text += '\n';
			if (body) {
				this.text += this.#margin();
				this.command(body);
			}
			this.#indent -= UNIT;
			this.rest();
			this.#line(end);
		}
		this.#indent -= UNIT;
		this.#line('esac');
	}

	/** Commands a level deeper, and the word that ends them. */
	#block(body: Written, end: string, semicolon = true): void {
		this.#indent += UNIT;
		this.#line();
		this.command(body);
		this.rest();
		if (semicolon) this.#semicolon();
		this.#indent -= UNIT;
		this.#line(end);
	}

	#line(text = ''): void {
		this.text += `\n${this.#margin()}${text}`;
	}

	#margin(): string {
		return ' '.repeat(this.layout === 'exported' ? Math.min(1, this.#indent) : this.#indent);
	}

	#semicolon(): void {
		if (!/[&\n]$/.test(this.text)) this.text += ';';
	}

	#redirections(redirections: Redirection[], shape: Shape): void {
		if (redirections.length === 0) return;
		this.#afterBody = false;
		const texts = redirections.map(({ text }) => text).join(' ');
		this.text += shape.type === 'words' && shape.words.length === 0 ? texts : ` ${texts}`;
		for (const { body } of redirections) if (body !== undefined) this.#bodies.push(body);
	}

	#hereDocuments(operator: string): void {
		this.text += `${operator}\n${this.#bodies.splice(0).join('')}${operator ? ' ' : ''}`;
		this.#afterBody = true;
	}
}
