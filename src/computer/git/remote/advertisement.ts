import { NULL_ID } from '../objects/object.ts';
import { isRefName } from '../refs/ref-format.ts';
import type { Ref } from '../refs/refs.ts';
import { readPackets } from './packet.ts';

/** References and capabilities of the remote side. */
export interface Advertisement {
	/** Includes HEAD if it points to a commit. */
	refs: Ref[];
	/** Targets of annotated tags, by the names of the tags. */
	peeled: ReadonlyMap<string, string>;
	/** Reference that the remote's HEAD points to; null if the remote does not say. */
	head: string | null;
	capabilities: ReadonlySet<string>;
	/** Commits at which the remote's history is cut off (shallow). */
	shallow: string[];
}

/** @throws RangeError if the bytes are not a valid advertisement */
export function parseAdvertisement(bytes: Uint8Array): Advertisement {
	const lines = readPackets(bytes).lines.filter((line) => line !== null && !line.startsWith('# service='));
	if (lines.length === 0) throw new RangeError('the server does not say what it has');
	const refs: Ref[] = [];
	const shallow: string[] = [];
	const peeled = new Map<string, string>();
	const [, offered = ''] = (lines[0] ?? '').split('\0');
	for (const line of lines) {
		const [, id = '', name = ''] = /^([0-9a-f]{40}) ([^\0]+)/.exec(line ?? '') ?? [];
		const end = /^shallow ([0-9a-f]{40})$/.exec(line ?? '')?.[1];
		if (end !== undefined) shallow.push(end);
		if (line?.startsWith('ERR ')) throw new RangeError(`remote error: ${line.slice(4)}`);
		if (id === '' || id === NULL_ID) continue;
		if (name.endsWith('^{}')) peeled.set(name.slice(0, -3), id);
		// The name becomes a path here, so it must be valid.
		else if (name === 'HEAD' || (name.startsWith('refs/') && isRefName(name))) refs.push({ name, id });
	}
	const capabilities = new Set(offered.trim().split(' '));
	const head = [...capabilities].find((one) => one.startsWith('symref=HEAD:'))?.slice('symref=HEAD:'.length) ?? null;
	return { refs, peeled, head: head !== null && isRefName(head) ? head : null, capabilities, shallow };
}

/**
 * Reference that the remote's HEAD points to: the advertised one, or a branch at the same commit.
 *
 * @param usual name of the first branch of a new repository, which is preferred
 */
export function headOf({ refs, head }: Advertisement, usual = 'main'): string | null {
	if (head !== null) return head;
	const id = refs.find(({ name }) => name === 'HEAD')?.id;
	const same = refs.filter((ref) => ref.id === id && ref.name.startsWith('refs/heads/')).map(({ name }) => name);
	return [`refs/heads/${usual}`, 'refs/heads/master'].find((name) => same.includes(name)) ?? same[0] ?? null;
}
