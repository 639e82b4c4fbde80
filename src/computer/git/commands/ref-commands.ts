import { fatal } from '../errors.ts';
import { inputRecords } from '../input-lines.ts';
import type { Invocation } from '../invocation.ts';
import { NULL_ID } from '../objects/object.ts';
import { unquotePath } from '../unquote-path.ts';
import { isRefName } from '../refs/ref-format.ts';
import { applyChanges, checkChanges, givenId, type ChangeHow, type RefChange } from '../refs/ref-transaction.ts';

/** Transaction commands, and the state after each. */
const STEPS = { start: 'started', prepare: 'prepared', commit: 'closed', abort: 'closed' } as const;
type Step = keyof typeof STEPS;

/** Commands for one ref, and the number of fields of each with `-z`. */
const CHANGES = { update: 3, create: 2, delete: 2, verify: 2 } as const;
type ChangeWord = keyof typeof CHANGES;

/** Runs the commands of `git update-ref --stdin`, see git-update-ref(1). */
export class RefCommands {
	#changes: RefChange[] = [];
	#isDirect = false;
	#state: 'open' | 'started' | 'prepared' | 'closed' = 'open';

	constructor(
		private readonly git: Invocation,
		private readonly how: ChangeHow & { isDirect: boolean },
		private readonly isZero: boolean
	) {}

	run(): number {
		const fields = this.#fields();
		for (const line of fields) {
			const text = line.replace(/\n$/, '');
			if (line === '' || (text === '' && !this.isZero)) throw fatal('empty command in input');
			if (/^\s/.test(line)) throw fatal(`whitespace before command: ${line}`);
			const [, word = '', rest] = /^([a-z]+)(?: (.*))?$/s.exec(this.isZero ? line : text) ?? [];
			if (rest === undefined && word in STEPS) this.#step(word as Step);
			else if (rest !== undefined && word === 'option') this.#option(rest, line);
			else if (rest !== undefined && word in CHANGES) this.#change(word as ChangeWord, rest, line, fields);
			else throw fatal(`unknown command: ${line}`);
		}
		if (this.#state === 'open') applyChanges(this.git.repository, this.#changes, this.how);
		return 0;
	}

	/** Lines of stdin with their line endings, or fields with `-z`. */
	*#fields(): Generator<string, undefined> {
		for (const record of inputRecords(this.git, this.isZero ? '\0' : '\n'))
			yield this.isZero ? record.replace(/\0$/, '') : record;
		return undefined;
	}

	#option(text: string, line: string): void {
		this.#requireOpen();
		if (text !== 'no-deref') throw fatal(`option unknown: ${line.slice('option '.length)}`);
		this.#isDirect = true;
	}

	/** @throws GitError if the transaction does not accept more changes */
	#requireOpen(): void {
		if (this.#state === 'prepared') throw fatal('prepared transactions can only be closed');
		if (this.#state === 'closed') throw fatal('transaction is closed');
	}

	#step(word: Step): void {
		if (this.#state === 'closed' && word !== 'start') throw fatal('transaction is closed');
		if (this.#state === 'prepared' && word !== 'commit' && word !== 'abort')
			throw fatal('prepared transactions can only be closed');
		if (word === 'start') {
			if (this.#state === 'started') throw fatal('cannot restart ongoing transaction');
			this.#changes = [];
		}
		if (word === 'prepare') checkChanges(this.git.repository, this.#changes);
		if (word === 'commit') applyChanges(this.git.repository, this.#changes, this.how);
		if (word === 'commit' || word === 'abort') this.#changes = [];
		this.#state = STEPS[word];
		this.git.out(`${word}: ok\n`);
		this.git.flush();
	}

	#change(word: ChangeWord, rest: string, line: string, fields: Iterator<string, undefined>): void {
		this.#requireOpen();
		const given = this.isZero ? [rest] : valuesOf(rest);
		const [name = ''] = given;
		if (name === '') throw fatal(`${word}: missing <ref>`);
		if (!isRefName(name, { oneLevel: true })) throw fatal(`invalid ref format: ${name}`);
		const values = this.isZero ? this.#zeroValues(word, name, fields) : given.slice(1);
		const most = CHANGES[word] - 1;
		if (values.length > most)
			throw fatal(`${word} ${name}: extra input:  ${values.slice(most).join(' ')}${line.endsWith('\n') ? '\n' : ''}`);
		const isDirect = this.how.isDirect || this.#isDirect;
		this.#isDirect = false;
		this.#changes.push({ name, isDirect, ...this.#ids(word, name, values) });
	}

	/** Reads the fields after the name of a ref with `-z`. */
	#zeroValues(word: ChangeWord, name: string, fields: Iterator<string, undefined>): string[] {
		const kinds = { update: ['new', 'old'], create: ['new'], delete: ['old'], verify: ['old'] }[word];
		return kinds.map((kind) => {
			const { value } = fields.next();
			if (value === undefined) throw fatal(`${word} ${name}: unexpected end of input when reading <${kind}value>`);
			return value;
		});
	}

	#ids(word: ChangeWord, name: string, [first, second]: readonly string[]): Pick<RefChange, 'from' | 'to'> {
		const isAbsent = (text: string | undefined) => text === undefined || (this.isZero && text === '');
		const read = (text: string | undefined, what: 'newvalue' | 'oldvalue'): string | null => {
			if (isAbsent(text)) return null;
			const id = givenId(this.git.repository, text!);
			if (id === null) throw fatal(`${word} ${name}: invalid <${what}>: ${text}`);
			return id;
		};
		if (word === 'verify') return { to: null, from: read(first, 'oldvalue') ?? NULL_ID };
		if (word === 'delete') {
			const from = read(first, 'oldvalue');
			if (from === NULL_ID) throw fatal(`delete ${name}: zero <oldvalue>`);
			return { to: NULL_ID, from };
		}
		const isEmptied = word === 'update' && this.isZero && first === '';
		if (isEmptied) this.git.err(`warning: update ${name}: missing <newvalue>, treating as zero\n`);
		const to = isEmptied ? NULL_ID : read(first, 'newvalue');
		if (to === null) throw fatal(`${word} ${name}: missing <newvalue>`);
		if (word === 'create' && to === NULL_ID) throw fatal(`create ${name}: zero <newvalue>`);
		return { to, from: word === 'create' ? NULL_ID : read(second, 'oldvalue') };
	}
}

/** Splits a line at single spaces into values, which may be quoted. @throws GitError if a value is badly quoted */
function valuesOf(rest: string): string[] {
	const values: string[] = [];
	for (let left: string | null = rest; left !== null;) {
		const [quoted] = /^"(?:[^"\\]|\\(?:[abfnrtv"\\]|[0-7]{3}))*"/.exec(left) ?? [];
		if (quoted === undefined && left.startsWith('"')) throw fatal(`badly quoted argument: ${left}`);
		const value: string = quoted ?? left.split(' ', 1)[0]!;
		const after: string = left.slice(value.length);
		if (after !== '' && !after.startsWith(' ')) throw fatal(`unexpected character after quoted argument: ${left}`);
		values.push(quoted === undefined ? value : unquotePath(value));
		left = after === '' ? null : after.slice(1);
	}
	return values;
}
