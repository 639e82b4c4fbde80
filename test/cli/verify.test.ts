import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { verify } from '#cli/verify/verify.ts';
import type { ShareBundle } from '#session/contract.ts';
import { packBundle } from '#session/share/bundle.ts';
import { collectShare } from '#session/share/collect.ts';
import { inlineLink } from '#session/share/link.ts';
import { sealSessionFile } from '#session/share/session-file.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';
import { isEnforced, missingEnforcement } from '#test/environment/local/enforcement.ts';
import { SessionOnDisk } from '../session/replays/session-on-disk.ts';
import { captured } from './captured.ts';

let bundle: ShareBundle;
let folder: string;

beforeAll(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'sandglass-cli-'));
	const session = await SessionOnDisk.begin(await createTemporary(), { 'a.txt': 'one\n' });
	session.log.append({ type: 'session', version: 3, sessionId: 'shared', title: '' });
	session.say('Begin.');
	for (const command of ['cat a.txt', 'echo two > b.txt']) await session.run(command);
	await session.checkpoint('turn');
	bundle = (
		await collectShare(session.workspace, session.collected(), { viewOnly: false, keepSecrets: [], history: true })
	).bundle;
	await session.end();
});
afterAll(async () => {
	await removeTemporary();
	await rm(folder, { recursive: true, force: true });
});

async function linkOf(shared: ShareBundle): Promise<string> {
	const link = inlineLink('https://example.org/', await packBundle(shared));
	if (link === null) throw new Error('The share is too large for this test.');
	return link;
}

/** The share with a modified output in its conversation. */
function forged(): ShareBundle {
	const copy = structuredClone(bundle);
	for (const entry of copy.entries)
		if (entry.type === 'event' && entry.event.type === 'tool_call_end' && entry.event.output.includes('one'))
			entry.event.output = entry.event.output.replace('one', 'uno');
	return copy;
}

describe('sandglass verify', () => {
	it.skipIf(!isEnforced)(`runs the commands of a link again and finds them the same${missingEnforcement}`, async () => {
		const { code, out } = await captured(verify, await linkOf(bundle));
		expect(out).toContain('same     cat a.txt\n');
		expect(out).toContain('2 the same, 0 with an incomplete receipt, 0 different, 0 without a receipt (run again).');
		expect(code).toBe(0);
	});

	it.skipIf(!isEnforced)(
		`keeps a command of a share from writing outside its folder${missingEnforcement}`,
		async () => {
			const outside = path.join(folder, 'outside.txt');
			const copy = structuredClone(bundle);
			const text = JSON.stringify(copy).replaceAll('echo two > b.txt', `echo two > ${outside}`);
			const { code, out } = await captured(verify, await linkOf(JSON.parse(text) as ShareBundle));
			expect(code).toBe(1);
			expect(out).toContain('DIFFERS');
			await expect(stat(outside)).rejects.toThrow('ENOENT');
		}
	);

	it('compares without running anything, and names what was forged', async () => {
		const honest = await captured(verify, '--inspect', await linkOf(bundle));
		expect([honest.code, honest.out.includes('(compared, not run)')]).toEqual([0, true]);
		const { code, out } = await captured(verify, '--inspect', await linkOf(forged()));
		expect(code).toBe(1);
		expect(out).toContain('DIFFERS  cat a.txt\n           the conversation shows another output than the receipt\n');
	});

	it('prints results as lines of JSON', async () => {
		const { out } = await captured(verify, '--inspect', '--json', await linkOf(forged()));
		const lines = out
			.trimEnd()
			.split('\n')
			.map((line) => JSON.parse(line) as unknown);
		expect(lines).toContainEqual(expect.objectContaining({ verdict: 'differs', command: 'cat a.txt' }));
	});

	it('opens an encrypted file with the passphrase from the environment', async () => {
		const file = path.join(folder, 'session.sandglass');
		await writeFile(file, await sealSessionFile(await packBundle(bundle), 'secret'));
		await expect(verify(['--inspect', file])).rejects.toThrow('Give the passphrase');
		vi.stubEnv('SANDGLASS_PASSPHRASE', 'secret');
		expect((await captured(verify, '--inspect', file)).code).toBe(0);
		vi.unstubAllEnvs();
	});

	it('says what is wrong with a link, a file or its arguments', async () => {
		await expect(verify([])).rejects.toThrow('Give one link or file');
		await expect(verify(['https://example.org/'])).rejects.toThrow('This link has no share in it');
		await expect(verify(['https://example.org/#s=abc'])).rejects.toThrow('This link is incomplete.');
		await expect(verify([path.join(folder, 'none')])).rejects.toThrow('There is no file');
		const text = path.join(folder, 'text');
		await writeFile(text, 'hello');
		await expect(verify([text])).rejects.toThrow('This is no session of Sandglass.');
	});
});
