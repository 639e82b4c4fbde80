import { decode } from '../bytes.ts';
import { fatal, GitError } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { NULL_ID } from '../objects/object.ts';
import { parseOptions } from '../options.ts';
import { unquotePath } from '../unquote-path.ts';
import { isRefName } from '../refs/ref-format.ts';
import { findRevision } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';

const USAGE = 'update-ref [<options>] (-d <refname> [<old-oid>] | <refname> <new-oid> [<old-oid>] | --stdin [-z])';

/** Bytes of stdin that are read at once. */
const READ_BYTES = 64 * 1024;

/** One reference to move, to delete or only to look at. */
interface Change {
	name: string;
	/** {@link NULL_ID} deletes; null leaves it. */
	to: string | null;
	/** Commit that it must name now; {@link NULL_ID} for none, null for any. */
	from: string | null;
	isDirect: boolean;
}

interface How {
	message: string;
	isDirect: boolean;
	createsLog: boolean;
}

/** `git update-ref`: moves and deletes references for scripts, one or a list of them that stands or falls together. */
export const updateRef: Command = (git, args) => {
	const options = parseOptions(USAGE, args, {
		message: '-m =',
		delete: '-d',
		noDeref: '--no-deref',
		createLog: '--create-reflog',
		noLog: '--no-create-reflog',
		stdin: '--stdin',
		zero: '-z'
	});
	const how: How = {
		message: options.get('message') ?? '',
		isDirect: options.has('noDeref'),
		createsLog: options.has('createLog')
	};
	if (options.has('message') && how.message === '') throw fatal('Refusing to perform update with empty message.');
	if (options.has('stdin')) {
		if (options.operands.length > 0 || options.has('delete')) throw new GitError(`usage: git ${USAGE}`, 129);
		return new Transactions(git, how, options.has('zero')).run();
	}
	if (options.has('zero')) throw new GitError(`usage: git ${USAGE}`, 129);
	const { repository } = git;
	const [name, ...values] = options.operands;
	const isDeletion = options.has('delete');
	if (name === undefined || values.length > (isDeletion ? 1 : 2) || (!isDeletion && values.length === 0))
		throw new GitError(`usage: git ${USAGE}`, 129);
	const [value, before] = isDeletion ? [NULL_ID, values[0]] : values;
	const to = idOf(repository, value ?? '');
	if (to === null) throw fatal(`${value}: not a valid SHA1`);
	const from = before === undefined ? null : idOf(repository, before === '' ? NULL_ID : before);
	if (before !== undefined && from === null) throw fatal(`${before}: not a valid old SHA1`);
	try {
		apply(repository, [{ name, to, from, isDirect: how.isDirect }], how);
	} catch (error) {
		if (!isDeletion || !(error instanceof GitError)) throw error;
		throw new GitError(error.message.replace(/^fatal: (?:update_ref failed for ref '[^']*': )?/, 'error: '), 1);
	}
	return 0;
};

/** Id that a text names; no text, or only zeros, is no commit. */
function idOf(repository: Repository, text: string): string | null {
	return text === '' || /^0{40}$/.test(text) ? NULL_ID : findRevision(repository, text);
}

/** Name of the reference itself that a symbolic one leads to. */
const targetOf = ({ refs }: Repository, { name, isDirect }: Change): string => (isDirect ? name : refs.target(name));

/** Checks all changes, then makes them. @throws GitError where one is not as it was said to be; none is made then */
function apply(repository: Repository, changes: readonly Change[], how: How): void {
	const names = new Set<string>();
	for (const change of changes) {
		const target = targetOf(repository, change);
		if (names.has(target)) throw fatal(`multiple updates for ref '${target}' not allowed`);
		names.add(target);
		check(repository, change);
	}
	const { refs } = repository;
	for (const change of changes) {
		const { name, to, isDirect } = change;
		if (to === null) continue;
		const target = targetOf(repository, change);
		if (to !== NULL_ID) {
			if (how.createsLog) refs.startReflog(target);
			if (isDirect && refs.symbolic(name) !== null) refs.detach(name, to, how.message);
			else refs.update(name === 'HEAD' ? 'HEAD' : target, to, how.message);
			continue;
		}
		const before = refs.resolve(target);
		const isCurrent = refs.symbolic('HEAD') === target;
		refs.delete(target);
		if (isCurrent && before !== null) refs.log('HEAD', before, NULL_ID, how.message);
	}
}

/** @throws GitError for a name that no reference can have, and where it does not name what was expected */
function check(repository: Repository, change: Change): void {
	const { name, to, from } = change;
	const { refs, objects } = repository;
	const failed = (why: string) => fatal(`update_ref failed for ref '${name}': ${why}`);
	const target = targetOf(repository, change);
	const isValid = /^[A-Z_]+$/.test(name) || (name.startsWith('refs/') && isRefName(name));
	// What is not well named can be deleted, within the folder of references.
	if (!isValid && (to !== NULL_ID || !/^refs\/(?!.*(?:^|\/)\.\.?(?:\/|$))/.test(name)))
		throw failed(`refusing to update ref with bad name '${name}'`);
	const now = refs.resolve(target);
	const locked = (why: string) => failed(`cannot lock ref '${name}': ${why}`);
	if (from === NULL_ID && now !== null) throw locked(`reference already exists`);
	if (from !== null && from !== NULL_ID && now === null) throw locked(`unable to resolve reference '${target}'`);
	if (from !== null && from !== NULL_ID && now !== from) throw locked(`is at ${now} but expected ${from}`);
	if (to === null || to === NULL_ID) return;
	const object = objects.find(to);
	if (!object)
		throw failed(`cannot update ref '${target}': trying to write ref '${target}' with nonexistent object ${to}`);
	if (target.startsWith('refs/heads/') && object.type !== 'commit')
		throw failed(`cannot update ref '${target}': trying to write non-commit object ${to} to branch '${target}'`);
}

/** Reads the commands of `--stdin`. */
class Transactions {
	#changes: Change[] = [];
	#isDirect = false;
	#state: 'open' | 'started' | 'prepared' | 'closed' = 'open';

	constructor(
		private readonly git: Invocation,
		private readonly how: How,
		private readonly isZero: boolean
	) {}

	run(): number {
		const fields = this.#fields();
		for (const line of fields) {
			if (line === '') throw fatal('empty command in input');
			if (/^\s/.test(line)) throw fatal(`whitespace before command: ${line}`);
			const [, word = '', rest = ''] = /^(\S+)(?: ?(.*))?$/s.exec(line) ?? [];
			this.#command(word, line, this.isZero ? this.#zeroValues(word, rest, fields) : valuesOf(rest));
		}
		if (this.#state === 'open') apply(this.git.repository, this.#changes, this.how);
		return 0;
	}

	/** Lines of stdin as they come, or fields under `-z`: who writes them waits for the answers. */
	*#fields(): Generator<string, undefined> {
		const { sync } = this.git.context;
		const end = this.isZero ? '\0' : '\n';
		let left = '';
		for (let bytes = sync.read(0, READ_BYTES); bytes.length > 0; bytes = sync.read(0, READ_BYTES)) {
			const parts = (left + decode(bytes)).split(end);
			left = parts.pop() ?? '';
			yield* parts;
		}
		if (left === '') return undefined;
		if (this.isZero) throw fatal('unexpected end of input');
		yield left;
		return undefined;
	}

	/** Values of a command under `-z`: the rest of its own field, and the fields after it. */
	#zeroValues(word: string, first: string, fields: Iterator<string, undefined>): string[] {
		const more = { update: 2, create: 1, delete: 1, verify: 1 }[word] ?? 0;
		const values = word === 'option' || first === '' ? [first].filter(Boolean) : [first];
		for (let left = more; left > 0; left--) {
			const next = fields.next().value;
			if (next === undefined)
				throw fatal(
					`${word} ${first}: unexpected end of input when reading <${word === 'update' && left === 2 ? 'newvalue' : word === 'create' ? 'newvalue' : 'oldvalue'}>`
				);
			values.push(next);
		}
		return values;
	}

	#command(word: string, line: string, values: string[]): void {
		if (word === 'option') {
			if (values[0] !== 'no-deref') throw fatal(`option unknown: ${values[0] ?? ''}`);
			this.#isDirect = true;
		} else if (word in STEPS) this.#step(word as keyof typeof STEPS);
		else if (word === 'update' || word === 'create' || word === 'delete' || word === 'verify')
			this.#changes.push(this.#change(word, values));
		else throw fatal(`unknown command: ${line}`);
	}

	#step(word: keyof typeof STEPS): void {
		if (this.#state === 'closed' && word !== 'start') throw fatal('transaction is closed');
		if (this.#state === 'prepared' && word !== 'commit' && word !== 'abort')
			throw fatal('prepared transactions can only be closed');
		if (word === 'start') {
			if (this.#state === 'started') throw fatal('cannot restart ongoing transaction');
			this.#changes = [];
		}
		if (word === 'prepare') for (const change of this.#changes) check(this.git.repository, change);
		if (word === 'commit') apply(this.git.repository, this.#changes, this.how);
		if (word === 'commit' || word === 'abort') this.#changes = [];
		this.#state = STEPS[word];
		this.git.out(`${word}: ok\n`);
		this.git.flush();
	}

	#change(word: 'update' | 'create' | 'delete' | 'verify', [name, ...values]: string[]): Change {
		const { repository } = this.git;
		if (this.#state === 'prepared') throw fatal('prepared transactions can only be closed');
		if (this.#state === 'closed') throw fatal('transaction is closed');
		if (name === undefined || name === '') throw fatal(`${word}: missing <ref>`);
		if (!isRefName(name, { oneLevel: true })) throw fatal(`invalid ref format: ${name}`);
		const most = word === 'update' ? 2 : 1;
		if (values.length > most) throw fatal(`${word} ${name}: extra input:  ${values.slice(most).join(' ')}`);
		const read = (text: string, what: string) => {
			const id = idOf(repository, text);
			if (id === null) throw fatal(`${word} ${name}: invalid <${what}>: ${text}`);
			return id;
		};
		const isDirect = this.how.isDirect || this.#isDirect;
		this.#isDirect = false;
		const [first, second] = values;
		const isAny = (text: string | undefined) => text === undefined || (this.isZero && text === '');
		if (word === 'verify') return { name, to: null, from: isAny(first) ? NULL_ID : read(first!, 'oldvalue'), isDirect };
		if (word === 'delete') {
			const from = isAny(first) ? null : read(first!, 'oldvalue');
			if (from === NULL_ID) throw fatal(`delete ${name}: zero <oldvalue>`);
			return { name, to: NULL_ID, from, isDirect };
		}
		if (first === undefined || (first === '' && word === 'create')) throw fatal(`${word} ${name}: missing <newvalue>`);
		const to = read(first, 'newvalue');
		if (word === 'create') {
			if (to === NULL_ID) throw fatal(`create ${name}: zero <newvalue>`);
			return { name, to, from: NULL_ID, isDirect };
		}
		return { name, to, from: isAny(second) ? null : read(second!, 'oldvalue'), isDirect };
	}
}

const STEPS = { start: 'started', prepare: 'prepared', commit: 'closed', abort: 'closed' } as const;

/** Values of a line, each without spaces or in quotation marks. @throws GitError for marks that do not end */
function valuesOf(rest: string): string[] {
	const values: string[] = [];
	for (let left = rest; left !== '';) {
		const [quoted] = /^"(?:[^"\\]|\\(?:[abfnrtv"\\]|[0-7]{3}))*"/.exec(left) ?? [];
		if (quoted === undefined && left.startsWith('"')) throw fatal(`badly quoted argument: ${left}`);
		const value = quoted ?? left.split(' ', 1)[0]!;
		const after = left.slice(value.length);
		if (after !== '' && !after.startsWith(' ')) throw fatal(`unexpected character after quoted argument: ${left}`);
		values.push(quoted === undefined ? value : unquotePath(value));
		left = after.slice(1);
	}
	return values;
}
