import type {
	CaseItem,
	Command,
	CommandOf,
	CompoundCommand,
	FunctionDefinition,
	HereDocument,
	IfClause,
	Pipeline,
	Redirection,
	Script,
	SimpleCommand,
	Statement,
	Word
} from './nodes.ts';
import { WordPrinter } from './print-word.ts';

/** Indentation of a level, in columns. */
const UNIT = 4;

/** Layouts: in a function each command has its own line; an exported one is indented by one level at most. */
type Layout = 'function' | 'exported' | 'line';

/** Formats a function as `declare -f` prints it, without a trailing newline. */
export function printFunction(definition: FunctionDefinition): string {
	return `${definition.name} () \n${printBody(definition, 'function')}`;
}

/** Formats a function as the environment passes it to another bash: `() {  …}`. */
export function exportFunction(definition: FunctionDefinition): string {
	return `() ${printBody(definition, 'exported').replace(/^\{ \n/, '{ ')}`;
}

/** Formats commands on one line, as in `$(…)` and lists of jobs. */
export function printScript(script: Script): string {
	const printer = new Printer('line');
	printer.list(script.statements);
	return printer.text;
}

/** Formats a command on one line, as stored in BASH_COMMAND. */
export function printCommand(command: Command): string {
	const printer = new Printer('line');
	printer.command(command);
	return printer.text;
}

/** Formats a word as source text. */
export const printWord = (word: Word): string => words.word(word);

function printBody(definition: FunctionDefinition, layout: Layout): string {
	const printer = new Printer(layout);
	printer.body(definition.body);
	return printer.text;
}

const words = new WordPrinter(printScript);

class Printer {
	text = '';
	#indent = 0;
	/** Here-documents of the line being printed. */
	#bodies: HereDocument[] = [];
	/** Set if the end of a here-document replaces the next `;`. */
	#afterBody = false;

	constructor(private readonly layout: Layout) {}

	/** Prints a function's body in braces. */
	body(body: CompoundCommand): void {
		if (body.type === 'Group') return this.command(body);
		this.#group([
			{
				type: 'Statement',
				pipelines: [{ type: 'Pipeline', commands: [body], negated: false, timed: false, timePosix: false }],
				operators: [],
				background: false,
				sourceText: ''
			}
		]);
	}

	list(statements: readonly Statement[]): void {
		for (const [index, statement] of statements.entries()) {
			const isLast = index === statements.length - 1;
			this.#statement(statement);
			if (index > 0) this.#rest();
			if (statement.background) this.text += isLast ? ' &' : ' & ';
			else if (!isLast) this.#separate();
		}
		this.#rest();
	}

	command(command: Command): void {
		if (command.type === 'SimpleCommand') return this.#simple(command);
		if (command.type === 'FunctionDef') {
			this.text += `function ${command.name} () `;
			this.#line();
			return this.body(command.body);
		}
		this.#compound(command);
		this.#redirections(command.redirections, false);
	}

	#separate(): void {
		if (this.#bodies.length) this.#hereDocuments('');
		else if (this.#afterBody) this.#afterBody = false;
		else this.text += ';';
		if (this.layout !== 'line') this.#line();
		else this.text += ' ';
	}

	#statement({ pipelines, operators }: Statement): void {
		for (const [index, pipeline] of pipelines.entries()) {
			if (index > 0) {
				const operator = operators[index - 1] ?? '&&';
				if (this.#bodies.length) this.#hereDocuments(` ${operator} `);
				else this.text += ` ${operator} `;
			}
			this.#pipeline(pipeline);
			if (index > 0) this.#rest();
		}
	}

	#pipeline({ commands, negated, timed, timePosix }: Pipeline): void {
		const marks = [timed ? (timePosix ? 'time -p' : 'time') : '', negated ? '!' : ''].filter(Boolean).join(' ');
		this.text += marks + (marks ? ' ' : '');
		for (const [index, command] of commands.entries()) {
			if (index > 0) {
				if (this.#bodies.length) this.#hereDocuments(' |');
				else this.text += ' |';
				this.text += ' ';
			}
			this.command(command);
			if (index > 0) this.#rest();
		}
	}

	#simple({ assignments, name, args, redirections }: SimpleCommand): void {
		const texts = [
			...assignments.map((assignment) => words.assignment(assignment)),
			...(name ? [name, ...args] : []).map((word) => words.word(word))
		];
		this.text += texts.join(' ');
		this.#redirections(redirections, texts.length === 0);
	}

	#compound(command: CompoundCommand): void {
		switch (command.type) {
			case 'Subshell':
				this.text += '( ';
				this.list(command.body);
				this.text += ' )';
				return;
			case 'Group':
				return this.#group(command.body);
			case 'If':
				return this.#if(command.clauses, command.elseBody);
			case 'While':
			case 'Until':
				this.text += `${command.type.toLowerCase()} `;
				this.list(command.condition);
				this.#semicolon();
				this.text += ' do';
				return this.#block(command.body, 'done');
			case 'For':
			case 'Select': {
				const values = command.words?.map((word) => words.word(word)) ?? ['"$@"'];
				this.text += `${command.type.toLowerCase()} ${command.variable} in ${values.join(' ')};`;
				this.#line('do');
				return this.#block(command.body, 'done');
			}
			case 'CStyleFor':
				this.#count(command);
				return this.#block(command.body, 'done');
			case 'Case':
				return this.#case(words.word(command.word), command.items);
			case 'ArithmeticCommand':
				this.text += `((${words.word(command.expression)}))`;
				return;
			case 'ConditionalCommand':
				this.text += `[[ ${words.conditional(command.expression)} ]]`;
				return;
			case 'Coprocess':
				this.text += `coproc ${command.name} `;
				return this.command(command.body);
		}
	}

	#count({ init, condition, update }: CommandOf<'CStyleFor'>): void {
		const part = (word: Word) => words.word(word).trimStart() || '1';
		this.text += `for ((${part(init)}; ${part(condition)}; ${part(update)}))`;
		this.#line('do');
	}

	#group(body: readonly Statement[]): void {
		this.text += '{ ';
		if (this.layout === 'line') {
			this.list(body);
			this.#semicolon();
			this.text += ' }';
		} else this.#block(body, '}', false);
	}

	#if([first, ...more]: readonly IfClause[], elseBody: Statement[] | null): void {
		if (!first) return;
		this.text += 'if ';
		this.list(first.condition);
		this.#semicolon();
		this.text += ' then';
		this.#block(first.body, more.length || elseBody ? 'else' : 'fi');
		if (more.length) this.#indented(() => this.#if(more, elseBody), 'fi');
		else if (elseBody) this.#block(elseBody, 'fi');
	}

	#case(word: string, items: readonly CaseItem[]): void {
		this.text += `case ${word} in `;
		this.#indent += UNIT;
		for (const { patterns, body, terminator } of items) {
			this.#line(`${patterns.map((pattern) => words.word(pattern)).join(' | ')})`);
			this.#indent += UNIT;
			this.text += '\n';
			if (body.length) {
				this.text += this.#margin();
				this.list(body);
			}
			this.#indent -= UNIT;
			this.#line(terminator);
		}
		this.#indent -= UNIT;
		this.#line('esac');
	}

	/** Prints commands one level deeper, and the word that ends them. */
	#block(body: readonly Statement[], end: string, semicolon = true): void {
		this.#indented(() => this.list(body), end, semicolon);
	}

	#indented(print: () => void, end: string, semicolon = true): void {
		this.#indent += UNIT;
		this.#line();
		print();
		this.#rest();
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

	#redirections(redirections: readonly Redirection[], isAlone: boolean): void {
		if (redirections.length === 0) return;
		this.#afterBody = false;
		const texts = redirections.map(printRedirection).join(' ');
		this.text += isAlone ? texts : ` ${texts}`;
		for (const { target } of redirections) if (target.type === 'HereDocument') this.#bodies.push(target);
	}

	#hereDocuments(operator: string): void {
		const bodies = this.#bodies.splice(0).map(({ text, delimiter }) => `${text}${delimiter}\n`);
		this.text += `${operator}\n${bodies.join('')}${operator ? ' ' : ''}`;
		this.#afterBody = true;
	}

	/** Prints the remaining here-documents. */
	#rest(): void {
		if (this.#bodies.length) this.#hereDocuments('');
	}
}

function printRedirection({ fd, fdVariable, operator, target }: Redirection): string {
	const number = fdVariable === null ? (fd === null ? '' : String(fd)) : `{${fdVariable}}`;
	if (target.type === 'HereDocument') {
		return `${number}${operator}${target.quoted ? `'${target.delimiter}'` : target.delimiter}`;
	}
	const word = words.word(target);
	if (operator === '>&' || operator === '<&') {
		const from = number || (operator === '>&' ? '1' : '0');
		if (word.startsWith('$')) return `${number}${operator}${word}`;
		if (word === '-') return `${from}>&-`;
		if (/^\d+-?$/.test(word)) return `${from}${operator}${word}`;
		if (number === '' && operator === '>&') return `&> ${word}`;
		return `${from}${operator}${word}`;
	}
	if (operator === '<>') return `${number || '0'}<> ${word}`;
	const usual = operator === '>' || operator === '>>' || operator === '>|' ? '1' : '0';
	return `${number === usual ? '' : number}${operator} ${word}`;
}
