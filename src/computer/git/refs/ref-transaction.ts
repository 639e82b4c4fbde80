import { fatal, type GitError } from '../errors.ts';
import { NULL_ID } from '../objects/object.ts';
import type { Repository } from '../repository.ts';
import { isRefName } from './ref-format.ts';
import { findRevision } from './revision.ts';

/** Reference to update, to delete or only to verify. */
export interface RefChange {
	name: string;
	/** New id; {@link NULL_ID} deletes, null leaves the reference unchanged. */
	to: string | null;
	/** Expected current id; {@link NULL_ID} for none, null for any. */
	from: string | null;
	/** Changes a symbolic reference itself, not its target. */
	isDirect: boolean;
}

/** Reflog message of changes to references. */
export interface ChangeHow {
	message: string;
	createsLog: boolean;
}

/** Name of the reference that is changed: the target of a symbolic one, unless the change is direct. */
const targetOf = ({ refs }: Repository, { name, isDirect }: RefChange): string => (isDirect ? name : refs.target(name));

/**
 * Checks all changes, then applies them. @throws GitError if one does not have the expected value; then none is applied
 */
export function applyChanges(repository: Repository, changes: readonly RefChange[], how: ChangeHow): void {
	checkChanges(repository, changes);
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

/** @throws GitError if a change is not possible, or conflicts with another one */
export function checkChanges(repository: Repository, changes: readonly RefChange[]): void {
	const names = changedNames(repository, changes);
	for (const change of changes) checkChange(repository, change, names);
}

/** Names of all changed references. @throws GitError if one would be changed twice */
function changedNames({ refs }: Repository, changes: readonly RefChange[]): ReadonlySet<string> {
	const names = new Set<string>();
	const twice = (name: string, why: string) => fatal(`multiple updates for ${name} ${why}`);
	for (const { name } of changes) {
		if (names.has(name)) throw twice(`ref '${name}'`, 'not allowed');
		names.add(name);
	}
	const current = refs.symbolic('HEAD');
	for (const { name, isDirect } of changes) {
		if (name === current && names.has('HEAD'))
			throw twice("'HEAD'", `(including one via its referent '${name}') are not allowed`);
		for (let at = name, next = isDirect ? null : refs.symbolic(at); next !== null; next = refs.symbolic(at)) {
			if (names.has(next)) throw twice(`'${next}'`, `(including one via symref '${at}') are not allowed`);
			names.add(next);
			at = next;
		}
	}
	return names;
}

/** @throws GitError if the name is invalid, or the current value is not the expected one */
function checkChange(repository: Repository, change: RefChange, names: ReadonlySet<string>): void {
	const { name, to, from, isDirect } = change;
	const { refs, objects } = repository;
	const target = targetOf(repository, change);
	const isValid = /^[A-Z_]+$/.test(name) || (name.startsWith('refs/') && isRefName(name));
	// A reference with an invalid name can be deleted if its path is inside `refs/`.
	if (!isValid && (to !== NULL_ID || !/^refs\/(?!.*(?:^|\/)\.\.?(?:\/|$))/.test(name)))
		throw fatal(`refusing to update ref with bad name '${name}'`);
	const now = refs.resolve(target);
	const locked = (why: string): GitError => fatal(`cannot lock ref '${name}': ${why}`);
	if (now === null) {
		const other = refs.conflictOf(target);
		if (other !== null) throw locked(`'${other}' exists; cannot create '${target}'`);
		const beside = [...names].find((one) => one.startsWith(`${target}/`) || target.startsWith(`${one}/`));
		if (beside !== undefined) {
			const [above, below] = [beside, target].sort();
			throw locked(`cannot process '${above}' and '${below}' at the same time`);
		}
	}
	if (to !== NULL_ID && refs.isBroken(target))
		throw locked(`unable to resolve reference '${target}': reference broken`);
	if (from === NULL_ID && now !== null) throw locked('reference already exists');
	if (from !== null && from !== NULL_ID && now === null)
		throw locked(
			isDirect && refs.symbolic(name) !== null
				? `reference is missing but expected ${from}`
				: `unable to resolve reference '${target}'`
		);
	if (from !== null && from !== NULL_ID && now !== from) throw locked(`is at ${now} but expected ${from}`);
	if (to === null || to === NULL_ID) return;
	const blocked = now === null ? refs.blockedBy(target) : null;
	if (blocked !== null) throw locked(blocked);
	const object = objects.find(to);
	const refused = (why: string): GitError => fatal(`cannot update ref '${target}': ${why}`);
	if (!object) throw refused(`trying to write ref '${target}' with nonexistent object ${to}`);
	if (target.startsWith('refs/heads/') && object.type !== 'commit')
		throw refused(`trying to write non-commit object ${to} to branch '${target}'`);
}

/** Parses an id from a script; empty or only zeros means no commit. Returns null if it names nothing. */
export function givenId(repository: Repository, text: string): string | null {
	return text === '' || text === NULL_ID ? NULL_ID : findRevision(repository, text);
}
