import { ancestors, isAncestor } from '../history/walk.ts';
import { NULL_ID } from '../objects/object.ts';
import { REF_RULES } from '../refs/named-ref.ts';
import { targetOf, type Refspec } from '../refs/refspec.ts';
import type { Repository } from '../repository.ts';
import type { PushItem, PushState } from './push-item.ts';

/** Expected value of one reference, from `--force-with-lease`. */
export interface Lease {
	/** Short or full name on the remote. */
	name: string;
	/** Expected id; null for that of the remote-tracking branch. */
	expected: string | null;
}

/** Conditions under which a push may make non-fast-forward updates. */
export interface PushForce {
	/** `--force`. */
	isForced: boolean;
	leases: readonly Lease[];
	/** Applies a lease with the remote-tracking branch to all other references. */
	leasesRest: boolean;
	/** Requires that the remote-tracking branch was included in the local branch (`--force-if-includes`). */
	ifIncludes: boolean;
	/** Refspecs that map the remote's references to remote-tracking ones. */
	fetchSpecs: readonly Refspec[];
}

/** Decides for each reference of a push whether it may be sent. */
export function judgePush(repository: Repository, items: readonly PushItem[], force: PushForce): void {
	for (const item of items) {
		if (item.from === null) continue;
		if (item.after !== NULL_ID && item.before === item.after) {
			item.state = 'up to date';
			continue;
		}
		const lease = leaseFault(repository, item, force);
		const fault = lease ?? moveFault(repository, item);
		if (force.isForced || item.isForced || lease === null) item.isRewind = fault !== null;
		else if (fault !== null) item.state = fault;
	}
}

/** Fault if a lease does not hold; null if it holds, undefined if there is none. */
function leaseFault(repository: Repository, item: PushItem, force: PushForce): PushState | null | undefined {
	const { name, before } = item;
	const lease = force.leases.find((one) => REF_RULES.some((rule) => rule.replace('*', () => one.name) === name));
	if (!lease && !force.leasesRest) return undefined;
	const given = lease?.expected ?? null;
	const followed = given === null ? targetOf(force.fetchSpecs, name) : null;
	const known = followed === null ? null : repository.refs.resolve(followed);
	if (before !== (given ?? known ?? NULL_ID)) return 'stale info';
	const isChecked = force.ifIncludes && known !== null && followed !== null;
	return isChecked && !wasIncluded(repository, name, followed) ? 'remote ref updated since checkout' : null;
}

/** Returns whether the local branch included the fetched commit at some time, according to its reflog since then. */
function wasIncluded(repository: Repository, name: string, followed: string): boolean {
	const { refs, objects } = repository;
	const id = refs.resolve(followed);
	if (id === null || refs.resolve(name) === null) return true;
	const since = secondsOf(refs.reflog(followed)[0]?.who);
	const tips: string[] = [];
	for (const { to, who } of refs.reflog(name)) {
		if (to === id) return true;
		if (objects.find(to)?.type === 'commit') tips.push(to);
		if (secondsOf(who) < since) break;
	}
	return ancestors(repository, tips).has(id);
}

const secondsOf = (who = ''): number => Number(/> (-?\d+) [-+]\d{4}$/.exec(who)?.[1] ?? 0);

/** Reason that a reference cannot be updated without force; null if none. */
function moveFault(repository: Repository, { name, before, after }: PushItem): PushState | null {
	const { objects } = repository;
	if (after === NULL_ID || before === NULL_ID) return null;
	if (name.startsWith('refs/tags/')) return 'already exists';
	if (!objects.has(before)) return 'fetch first';
	const [old, next] = [repository.peeled(before), repository.peeled(after)];
	if (objects.find(old)?.type !== 'commit' || objects.find(next)?.type !== 'commit') return 'needs force';
	return isAncestor(repository, old, next) ? null : 'non-fast-forward';
}
