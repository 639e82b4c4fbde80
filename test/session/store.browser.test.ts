import { afterEach, describe, expect, it } from 'vitest';
import { blobId } from '#environment/blob-id.ts';
import type { StoredSession } from '#session/contract.ts';
import { SessionList } from '#session/list.ts';
import { openSessionStore } from '#session/store.ts';

const origin = { kind: 'files', name: 'project' } as const;
const options = { origin, title: 'A title', model: 'demo', provider: 'demo' };
const open: StoredSession[] = [];

afterEach(async () => {
	for (const session of open.splice(0)) await session.close();
	await (await openSessionStore()).eraseEverything();
});

async function kept(session: Promise<StoredSession>): Promise<StoredSession> {
	open.push(await session);
	return session;
}

describe('the session store in a browser', () => {
	it('lists, reopens with every entry, renames and deletes', async () => {
		const store = await openSessionStore();
		const session = await store.create(options);
		expect(await store.list()).toEqual([]);
		await store.enlist(session);
		const root = session.log.append({ type: 'session', version: 1, sessionId: session.summary.id, title: 'A title' });
		session.log.append({ type: 'message', message: { role: 'user', content: [{ type: 'text', text: 'Hello' }] } });
		await session.close();

		await store.rename(session.summary.id, 'Another');
		expect((await store.list()).map((summary) => summary.title)).toEqual(['Another']);
		const again = await (await openSessionStore()).open(session.summary.id);
		expect(again.writable).toBe(true);
		expect(again.log.branch().map((entry) => entry.type)).toEqual(['session', 'message']);
		expect(again.log.branch()[0]?.id).toBe(root);

		await expect(store.delete(session.summary.id)).rejects.toThrow('open in another tab');
		await again.close();
		await store.delete(session.summary.id);
		expect(await store.list()).toEqual([]);
		await expect(store.open(session.summary.id)).rejects.toThrow('no such session');
	});

	it('reads a session without taking it from whoever opens it meanwhile', async () => {
		const store = await openSessionStore();
		const session = await store.create(options);
		await store.enlist(session);
		session.log.append({ type: 'session', version: 1, sessionId: session.summary.id, title: 'A title' });
		const content = new TextEncoder().encode('kept');
		const blob = await blobId(content);
		await session.keepTree('a-tree', new Map([['a.txt', { mode: 0o644, blob }]]), [blob], async () => content);
		await session.close();

		const reader = await kept(store.read(session.summary.id));
		expect(reader.writable).toBe(false);
		const writer = await kept(store.open(session.summary.id));
		expect(writer.writable).toBe(true);
		expect(await reader.readBlob(blob)).toEqual(content);
		await writer.keepTree('later', new Map(), [], async () => content);
		// Closing the reader leaves the writer's files open.
		await reader.close();
		writer.log.append({ type: 'label', targetId: 'x', label: 'still writable' });
		await writer.close();

		const again = await kept(store.read(session.summary.id));
		expect(again.log.branch()).toHaveLength(2);
		expect([...(await again.readTree('a-tree')).keys()]).toEqual(['a.txt']);
		expect(await again.readBlob(blob)).toEqual(content);
		const other = await kept((await openSessionStore()).open(session.summary.id));
		await other.keepTree('from another tab', new Map(), [], async () => content);
		expect((await again.readTree('from another tab')).size).toBe(0);
	});

	it('lets one tab write; the other reads until it takes over', async () => {
		const store = await openSessionStore();
		const first = await kept(store.create(options));
		await store.enlist(first);
		first.log.append({ type: 'session', version: 1, sessionId: first.summary.id, title: 'A title' });
		await first.flush();

		const second = await kept((await openSessionStore()).open(first.summary.id));
		expect(second.writable).toBe(false);
		expect(second.log.branch()).toHaveLength(1);

		const lost = new Promise<boolean>((resolve) => first.onWritableChange(resolve));
		await second.takeOver();
		expect(await lost).toBe(false);
		expect(second.writable).toBe(true);
		second.log.append({ type: 'label', targetId: 'x', label: 'from the second tab' });
		await second.flush();
	});

	it('keeps nothing of a session that was started and came to nothing', async () => {
		const store = await openSessionStore();
		const failed = await store.create(options);
		failed.log.append({ type: 'session', version: 1, sessionId: failed.summary.id, title: '' });
		await failed.update({ title: 'Half' });
		await store.discard(failed);
		const gone = { sessionId: failed.summary.id };
		await expect(store.open(failed.summary.id)).rejects.toMatchObject(gone);

		// Its tab was closed in between: the next start removes it, but not sessions that another tab is still
		// creating.
		const closed = await store.create(options);
		await closed.flush();
		await closed.close();
		const made = await kept(store.create(options));
		await openSessionStore();
		await expect.poll(() => unfinished()).toEqual([made.summary.id]);
		await store.enlist(made);
		expect((await store.list()).map(({ id }) => id)).toEqual([made.summary.id]);
		expect(await unfinished()).toEqual([]);
	});

	it('keeps the name that a session was given in another tab', async () => {
		const store = await openSessionStore();
		const session = await kept(store.create(options));
		await store.enlist(session);
		await (await openSessionStore()).rename(session.summary.id, 'Renamed');
		await session.update({ title: 'By what was asked', changedFiles: 2 });
		expect(await store.list()).toMatchObject([{ title: 'Renamed', changedFiles: 2 }]);
	});
});

/** Sessions that are being created, or whose creation was interrupted. */
async function unfinished(): Promise<string[]> {
	const list = await SessionList.open();
	return list.creating();
}
