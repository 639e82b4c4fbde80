import type { Repository } from '../repository.ts';
import { expandRef } from './named-ref.ts';

/** The point at which HEAD was detached. */
export interface DetachedFrom {
	/** Tag, remote-tracking branch, full name of a branch, or abbreviated id that was checked out. */
	name: string;
	/** HEAD has not moved since. */
	isThere: boolean;
}

/** Finds in the reflog of HEAD where it was detached; null if the reflog does not tell. */
export function detachedFrom(repository: Repository): DetachedFrom | null {
	const { refs, objects } = repository;
	const last = refs.reflog('HEAD').find(({ message }) => message.startsWith('checkout: moving from '));
	if (!last) return null;
	const target = / to (\S+)$/.exec(last.message)?.[1] ?? '';
	const ref = target === 'HEAD' || target === '' ? null : expandRef(repository, target);
	const id = ref === null ? null : refs.resolve(ref);
	// A name that has since moved to another commit would mislead.
	const isNamed = id !== null && (id === last.to || repository.peeled(id) === last.to);
	const name = isNamed ? ref!.replace(/^refs\/(?:tags|remotes)\//, '') : objects.abbreviate(last.to);
	return { name, isThere: repository.head() === last.to };
}
