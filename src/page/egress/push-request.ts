/** One change to a branch or tag in a push. */
export interface RefUpdate {
	ref: string;
	/** Previous object id at the host; `null` if the ref is new. */
	before: string | null;
	/** New object id; `null` if the ref is deleted. */
	after: string | null;
}

const MAX_UPDATES = 1000;
const UPDATE = /^([0-9a-f]{40}|[0-9a-f]{64}) ([0-9a-f]{40}|[0-9a-f]{64}) ([^\0]+)$/;
const ZERO = /^0+$/;

/** A push whose changes cannot be parsed. */
export class PushUnreadable extends Error {
	override readonly name = 'PushUnreadable';
}

/**
 * Parses the changes of a `git-receive-pack` request (https://git-scm.com/docs/pack-protocol, "Reference Update
 * Request").
 * @throws PushUnreadable for anything that the host might interpret differently, including signed pushes and push
 * options
 */
export function parsePush(body: Uint8Array): RefUpdate[] {
	const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
	const updates: RefUpdate[] = [];
	let isFirst = true;
	for (const packet of packets(body)) {
		let line: string;
		try {
			line = decoder.decode(packet).replace(/\n$/, '');
		} catch {
			throw new PushUnreadable('A name in the push is not UTF-8.');
		}
		if (/^shallow [0-9a-f]{40,64}$/.test(line)) continue;
		const end = isFirst ? line.indexOf('\0') : -1;
		const capabilities = end < 0 ? '' : line.slice(end + 1);
		if (/(^|\s)push-options(\s|$)/.test(capabilities)) throw new PushUnreadable('The push carries options.');
		const [, before, after, ref] = UPDATE.exec(end < 0 ? line : line.slice(0, end)) ?? [];
		if (before === undefined || after === undefined || ref === undefined)
			throw new PushUnreadable('A line of the push names no change of a branch.');
		if (updates.some((update) => update.ref === ref)) throw new PushUnreadable('The push changes a branch twice.');
		updates.push({ ref, before: ZERO.test(before) ? null : before, after: ZERO.test(after) ? null : after });
		if (updates.length > MAX_UPDATES) throw new PushUnreadable('The push changes too many branches at once.');
		isFirst = false;
	}
	if (updates.length === 0) throw new PushUnreadable('The push changes nothing.');
	return updates;
}

/** Packets up to the flush packet that ends the list of changes. */
function* packets(body: Uint8Array): Generator<Uint8Array> {
	for (let at = 0; ;) {
		const prefix = String.fromCharCode(...body.subarray(at, at + 4));
		if (prefix === '0000') return;
		const length = /^[0-9a-f]{4}$/i.test(prefix) ? Number.parseInt(prefix, 16) : 0;
		if (length <= 4 || at + length > body.length) throw new PushUnreadable('The push is cut off.');
		yield body.subarray(at + 4, at + length);
		at += length;
	}
}
