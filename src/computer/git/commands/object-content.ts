import { decode, encode } from '../bytes.ts';
import { fatal } from '../errors.ts';
import { mailmapOf } from '../history/mailmap.ts';
import { parseSignature, serializeSignature } from '../objects/commit.ts';
import type { ObjectType } from '../objects/object.ts';
import type { Repository } from '../repository.ts';
import { conversionOf } from '../worktree/conversion.ts';
import { driversOf } from '../diff/compared-file.ts';

/** Forms of contents: as stored, with the mailmap applied, as in the worktree, or as text for a diff. */
export type ContentForm = 'plain' | 'mapped' | 'filters' | 'textconv';

/**
 * Returns a file's content in another form.
 *
 * @throws GitError if a textconv program is configured, because it is not run
 */
export function worktreeForm(repository: Repository, id: string, path: string, form: ContentForm): Uint8Array {
	const content = repository.objects.read(id, 'blob');
	if (form === 'filters') return conversionOf(repository).toWorktree(path, content, 'files first');
	const name = form === 'textconv' ? driversOf(repository).nameFor(path) : null;
	if (name !== null && repository.config.get(`diff.${name}.textconv`) !== undefined)
		throw fatal(`the program of diff.${name}.textconv is not run here`);
	return content;
}

const PEOPLE = /^(author|committer|tagger) (.*)$/gm;

/** Returns a commit or tag with the mailmap applied to its header. */
export function mappedHeads(repository: Repository, type: ObjectType, content: Uint8Array): Uint8Array {
	if (type !== 'commit' && type !== 'tag') return content;
	const text = decode(content);
	const end = text.indexOf('\n\n');
	const head = end < 0 ? text : text.slice(0, end);
	const mapped = head.replace(PEOPLE, (_, field: string, who: string) => {
		const person = mailmapOf(repository).mapped(parseSignature(who));
		return `${field} ${serializeSignature(person)}`;
	});
	return mapped === head ? content : encode(mapped + text.slice(head.length));
}
