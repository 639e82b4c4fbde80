import { fatal } from '../errors.ts';
import type { Repository } from '../repository.ts';
import { targetOf } from './refspec.ts';

/** Remote-tracking branches of this name, according to the refspecs of all remotes. */
function candidates(repository: Repository, name: string): { remote: string; full: string }[] {
	return repository.config.subsections('remote').flatMap((remote) => {
		const full = targetOf(repository.fetchSpecs(remote), `refs/heads/${name}`);
		return full !== null && repository.refs.resolve(full) !== null ? [{ remote, full }] : [];
	});
}

/** Remote-tracking branch for a name: of the only remote that has it, or of `checkout.defaultRemote`. */
export function remoteBranch(repository: Repository, name: string): string | null {
	const found = candidates(repository, name);
	const usual = repository.config.get('checkout.defaultremote');
	const chosen = found.length === 1 ? found[0] : found.find(({ remote }) => remote === usual);
	return chosen?.full.replace(/^refs\/remotes\//, '') ?? null;
}

/** @throws GitError if several remotes have a branch of the name, which makes it ambiguous */
export function refuseManyRemotes(repository: Repository, name: string): void {
	const found = candidates(repository, name);
	if (found.length < 2) return;
	const hint = repository.config.flag('advice.checkoutambiguousremotebranchname', true)
		? `hint: If you meant to check out a remote tracking branch on, e.g. 'origin',
hint: you can do so by fully qualifying the name with the --track option:
hint: 
hint:     git checkout --track origin/<name>
hint: 
hint: If you'd like to always have checkouts of an ambiguous <name> prefer
hint: one remote, e.g. the 'origin' remote, consider setting
hint: checkout.defaultRemote=origin in your config.
`
		: '';
	const error = fatal(`'${name}' matched multiple (${found.length}) remote tracking branches`);
	error.message = hint + error.message;
	throw error;
}
