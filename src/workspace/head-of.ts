import type { ReadonlyTree } from './checkpoint-store.ts';

/**
 * The commit of git's HEAD in a tree; the branch if it has no commit yet, and the empty string if the tree has
 * no repository.
 *
 * @param readBlob reads the content of a blob id
 */
export async function headOf(tree: ReadonlyTree, readBlob: (id: string) => Promise<Uint8Array>): Promise<string> {
	const read = async (path: string): Promise<string> => {
		const entry = tree.get(path);
		return entry?.blob ? new TextDecoder().decode(await readBlob(entry.blob)).trim() : '';
	};
	const head = await read('.git/HEAD');
	if (!head.startsWith('ref:')) return head;
	const ref = head.slice('ref:'.length).trim();
	return (await read(`.git/${ref}`)) || packed(await read('.git/packed-refs'), ref) || head;
}

/** The commit of a ref in git's packed refs; empty if there is none. */
function packed(refs: string, ref: string): string {
	const line = refs.split('\n').find((candidate) => candidate.endsWith(` ${ref}`));
	return line?.split(' ')[0] ?? '';
}
