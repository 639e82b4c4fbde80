import { describe, expect, it, vi } from 'vitest';
import type { SessionEntry } from '#agent/session-log.ts';
import type { StoredSession } from '#session/contract.ts';
import { toBase64Url } from '#session/share/base64.ts';
import type { ShareBlobStore } from '#session/share/blob-store.ts';
import { packBundle } from '#session/share/bundle.ts';
import { parseShareFragment, type ShareAddress } from '#session/share/link.ts';
import { Shares } from '#session/share/share.ts';
import type { ProjectOrigin, WorkspaceApi } from '#workspace/contract.ts';
import { emptyShare } from './crafted.ts';
import { madeSession } from './made-session.ts';

const SITE = 'https://s.example/';
const SECRET = `sk-ant-${'a1'.repeat(20)}`;
const commit = '0123456789abcdef0123456789abcdef01234567';
const hosted: ProjectOrigin = { kind: 'git', name: 'a/b', url: 'https://github.com/a/b', commit };
const entries: SessionEntry[] = [
	{ id: 'a', parentId: null, timestamp: 1, type: 'session', version: 3, sessionId: 's', title: 't' },
	{ id: 'b', parentId: 'a', timestamp: 2, type: 'label', targetId: 'a', label: 'one' }
];

/** A session that changed one file twice, as in the page. */
async function session(origin?: ProjectOrigin, noise = ''): Promise<[WorkspaceApi, StoredSession]> {
	const states = [
		{ a: 'one', same: 's' },
		{ a: 'two', same: 's' },
		{ a: `three ${SECRET}${noise}`, same: 's' }
	];
	const [workspace, stored] = await madeSession(states, entries, origin);
	return [workspace as WorkspaceApi, stored as StoredSession];
}

/** Shares over an in-memory store. */
function shares() {
	const sealed = new Map<string, Uint8Array>();
	const blobs = {
		put: vi.fn(async (bytes: Uint8Array, _expires?: number) => {
			sealed.set('id', bytes);
			return { id: 'id', deleteToken: 'token', expiresAt: 7 };
		}),
		get: vi.fn(async (id: string) => sealed.get(id) ?? new Uint8Array()),
		delete: vi.fn(async () => undefined)
	};
	return { shares: new Shares(SITE, blobs as unknown as ShareBlobStore), blobs, sealed };
}
const addressOf = (url: string): ShareAddress => parseShareFragment(new URL(url).hash) as ShareAddress;
const request = { expiresInSeconds: 60, viewOnly: false, keepSecrets: [] };
/** Too much for a link, even compressed. */
const noise = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(20_000))).toString('latin1');

describe('a share before it is made', () => {
	it('is described with its files, its secrets and its size', async () => {
		const described = await shares().shares.describe(...(await session()));
		expect(described).toMatchObject({
			entries: 2,
			files: [
				{ path: 'a', bytes: 'three [taken out: Anthropic key]'.length },
				{ path: 'same', bytes: 1 }
			],
			secrets: [{ id: 'a#1', kind: 'Anthropic key', where: 'a' }],
			inline: true,
			checkpoints: 0,
			commands: 0
		});
		expect(described).not.toHaveProperty('base');
		expect(described.bytes).toBeGreaterThan(100);
		expect(described.bytes).toBeLessThan(1_000);
	});

	it('is described with its base and history, and whether it needs the server', async () => {
		const described = await shares().shares.describe(...(await session(hosted, noise())), true);
		expect(described).toMatchObject({ base: { url: hosted.url, commit }, inline: false, checkpoints: 2 });
		expect(described.files.map(({ path }) => path)).toEqual(['a']);
	});
});

describe('a share', () => {
	it('that is small stands in its link alone', async () => {
		const { shares: all, blobs } = shares();
		const made = await all.create(...(await session()), { ...request, viewOnly: true, history: true });
		expect(Object.keys(made)).toEqual(['url']);
		expect(blobs.put).not.toHaveBeenCalled();
		const opened = await all.open(addressOf(made.url));
		expect(opened).toMatchObject({ title: 'A session', viewOnly: true, entries });
		expect(opened.history).toHaveLength(2);
		expect(atob(opened.files['a']?.base64 ?? '')).toBe('three [taken out: Anthropic key]');
	});

	it('that is larger goes to the server sealed, for as long as was asked, and its key into the link', async () => {
		const { shares: all, blobs, sealed } = shares();
		const made = await all.create(...(await session(undefined, noise())), { ...request, keepSecrets: ['a#1'] });
		expect(made).toMatchObject({ id: 'id', deleteToken: 'token', expiresAt: 7 });
		expect(blobs.put.mock.calls[0]?.[1]).toBe(60);
		expect(Buffer.from(sealed.get('id') ?? []).includes('A session')).toBe(false);
		const opened = await all.open(addressOf(made.url));
		expect(opened).toMatchObject({ viewOnly: false, entries });
		expect(atob(opened.files['a']?.base64 ?? '')).toContain(SECRET);
		expect(opened).not.toHaveProperty('history');
		await all.delete({ id: 'id', deleteToken: 'token' });
		expect(blobs.delete).toHaveBeenCalledWith({ id: 'id', deleteToken: 'token' });
	});

	it('whose link is no base64 is damaged', async () => {
		const { shares: all } = shares();
		for (const address of [
			{ kind: 'inline-share', data: 'a' },
			{ kind: 'stored-share', id: 'id', key: 'a' }
		] as const)
			await expect(all.open(address)).rejects.toMatchObject({
				code: 'damaged',
				detail: expect.stringContaining('base64')
			});
		await expect(all.open({ kind: 'inline-share', data: toBase64Url(new Uint8Array([1, 2])) })).rejects.toMatchObject({
			code: 'damaged'
		});
	});
});

describe('a session’s file', () => {
	const file = async (passphrase: string, history = false): Promise<Blob> => {
		const bytes = await shares().shares.exportFile(...(await session()), { keepSecrets: [], history, passphrase });
		return new Blob([bytes.slice()]);
	};

	it('is opened as it was saved, with its passphrase if it has one', async () => {
		const { shares: all } = shares();
		const opened = await all.openFile(await file('', true), null);
		expect(opened).toMatchObject({ title: 'A session', viewOnly: false, entries });
		expect(opened.history).toHaveLength(2);
		expect(await all.openFile(await file('words'), 'words')).not.toHaveProperty('history');
		await expect(all.openFile(await file('words'), null)).rejects.toMatchObject({ code: 'passphrase' });
	});

	it('that is damaged is called a file and no link, and what else is wrong is said as it is', async () => {
		const { shares: all } = shares();
		const header = new Uint8Array(await (await file('')).slice(0, 11).arrayBuffer());
		const broken = new Blob([header, new Uint8Array([1, 2, 3])]);
		await expect(all.openFile(broken, null)).rejects.toMatchObject({
			code: 'damaged_file',
			detail: expect.any(String)
		});
		const newer = await packBundle({ ...emptyShare, version: 2 as never });
		await expect(all.openFile(new Blob([header, newer.slice()]), null)).rejects.toMatchObject({
			code: 'newer_version'
		});
	});
});
