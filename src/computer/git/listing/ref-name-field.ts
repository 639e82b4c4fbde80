import { fatal } from '../errors.ts';
import { shortRefName } from '../refs/short-name.ts';
import type { Repository } from '../repository.ts';

/**
 * Parses the form in which a field shows a ref name: full, short, or without some of its parts.
 *
 * @param field for the message: `refname`
 * @throws GitError for an unknown form
 */
export function nameForm(repository: Repository, field: string, option: string | undefined): (name: string) => string {
	if (option === undefined) return (name) => name;
	if (option === 'short') {
		const isStrict = repository.config.flag('core.warnambiguousrefs', true);
		return (name) => shortRefName(repository.refs, name, isStrict);
	}
	const [, side, text = ''] = /^(l?strip|rstrip)=(.*)$/s.exec(option) ?? [];
	if (side === undefined) throw fatal(`unrecognized %(${field}) argument: ${option}`);
	const count = /^[+-]?\d+$/.test(text) ? Number(text) : null;
	if (count === null) throw fatal(`Integer value expected refname:${side === 'rstrip' ? side : 'lstrip'}=${text}`);
	return (name) => {
		const parts = name.split('/');
		// A negative count is the number of parts to keep.
		const stripped = count < 0 ? Math.max(0, parts.length + count) : count;
		const left = side === 'rstrip' ? parts.slice(0, Math.max(0, parts.length - stripped)) : parts.slice(stripped);
		return left.join('/');
	};
}
