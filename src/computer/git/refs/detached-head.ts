import type { Repository } from '../repository.ts';
import { expandRef } from './named-ref.ts';

/** Place at which HEAD was detached. */
export interface DetachedFrom {
	/** Tag, branch of a remote or short id that was checked out. */
	name: string;
	/** HEAD is still there. */
	isThere: boolean;
}

/** Reads from the history of HEAD where it was detached; null where that does not say. */
export function detachedFrom(repository: Repository): DetachedFrom | null {
	const { refs, objects } = repository;
	const last = refs.reflog('HEAD').find(({ message }) => message.startsWith('checkout: moving from '));
	if (!last) return null;
	const target = / to (\S+)$/.exec(last.message)?.[1] ?? '';
	const ref = target === 'HEAD' || target === '' ? null : expandRef(repository, target);
	const id = ref === null ? null : refs.resolve(ref);
	// A name that has moved since then would mislead.
	const isNamed = id !== null && (id === last.to || repository.peeled(id) === last.to);
	const name = isNamed ? ref!.replace(/^refs\/(?:tags|remotes|heads)\//, '') : objects.abbreviate(last.to);
	return { name, isThere: repository.head() === last.to };
}
