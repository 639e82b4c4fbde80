import { appendFile, mkdir, mkdtemp, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Session } from '#agent/session.ts';
import { createAnthropicProfile } from '#agent/profiles/anthropic.ts';
import { createClient } from '#llm/client.ts';
import { directProvider } from '#llm/providers.ts';
import { openLogFile } from '#session/node/log-file.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';
import { startModelServer } from '#test/model-server/server.ts';

let folder: string;
let file: string;
beforeEach(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'sandglass-log-'));
	file = path.join(folder, 'new/session.jsonl');
});
afterEach(async () => {
	await rm(folder, { recursive: true, force: true });
	await removeTemporary();
});

describe('a session log in a file', () => {
	it('continues a session in another process as one conversation', async () => {
		const models = await startModelServer({ name: 'log', turns: [{ text: 'First.' }, { text: 'Second.' }] });
		onTestFinished(() => models.close());
		const client = createClient({ providers: { anthropic: directProvider('anthropic', 'none', models.url) } });
		const profile = createAnthropicProfile({ model: 'claude-opus-4-6' });
		const ids: string[] = [];
		for (const message of ['one', 'two']) {
			const environment = await createTemporary();
			const { log, sessionId, warnings, close } = await openLogFile(file);
			expect(warnings).toEqual([]);
			const session = new Session({ profile, environment, client, log, ...(sessionId ? { id: sessionId } : {}) });
			ids.push(session.id);
			await session.submit(message).result;
			await session.close();
			await close();
			await environment.cleanup();
		}
		expect(ids[0]).toBe(ids[1]);
		const sent = models.requests.filter(({ method }) => method === 'POST').map(({ body }) => JSON.stringify(body));
		expect(sent[1]).toContain('one');
		expect(sent[1]).toContain('First.');
		const reopened = await openLogFile(file);
		const events = reopened.log.entries().flatMap((entry) => (entry.type === 'event' ? [entry.event.seq] : []));
		expect(events.every((seq, index) => index === 0 || seq > (events[index - 1] ?? 0))).toBe(true);
		await reopened.close();
	});

	it('cuts off a torn line, leaves out damaged ones, and names both', async () => {
		const first = await openLogFile(file);
		first.log.append({ type: 'label', targetId: 'a', label: 'one' });
		first.log.append({ type: 'label', targetId: 'a', label: 'two' });
		await first.close();
		const whole = await readFile(file, 'utf8');
		await writeFile(file, whole.replace('one', 'uno'));
		await appendFile(file, '{"id":"torn');

		const { log, warnings, close } = await openLogFile(file);
		expect(log.entries().map((entry) => entry.type === 'label' && entry.label)).toEqual(['two']);
		expect(warnings).toEqual([
			'Line 1 of the session is damaged and was left out.',
			'The last line of the session was not written to its end and was left out.'
		]);
		log.append({ type: 'label', targetId: 'a', label: 'three' });
		await close();
		expect((await readFile(file, 'utf8')).trimEnd().split('\n')).toHaveLength(3);
	});

	it('is durable after a flush, and readable by its owner only', async () => {
		const { log, close } = await openLogFile(file);
		log.append({ type: 'label', targetId: 'a', label: 'flushed' });
		const probe = await open(file, 'a');
		const synced = vi.spyOn(Object.getPrototypeOf(probe), 'datasync');
		onTestFinished(() => synced.mockRestore());
		await probe.close();
		await log.flush();
		expect(synced).toHaveBeenCalledTimes(1);
		expect(await readFile(file, 'utf8')).toContain('flushed');
		expect((await stat(file)).mode & 0o777).toBe(0o600);
		await close();
	});

	it('names the session that it holds', async () => {
		const first = await openLogFile(file);
		expect(first.sessionId).toBeUndefined();
		first.log.append({ type: 'label', targetId: 'a', label: 'one' });
		first.log.append({ type: 'session', version: 3, sessionId: 'mine', title: '' });
		await first.close();
		const again = await openLogFile(file);
		expect(again.sessionId).toBe('mine');
		// A manually deleted lock does not prevent closing it, once or twice.
		await rm(`${file}.lock`);
		await again.close();
		await again.close();
	});

	it('is not opened while a process of another user has it, and is after one that never was', async () => {
		await (await openLogFile(file)).close();
		const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
			throw Object.assign(new Error('not permitted'), { code: 'EPERM' });
		});
		onTestFinished(() => kill.mockRestore());
		await writeFile(`${file}.lock`, '7\n');
		await expect(openLogFile(file)).rejects.toThrow(`Another process has this session open: ${file}.lock.`);
		expect(await readFile(`${file}.lock`, 'utf8')).toBe('7\n');
		for (const owner of ['', '0\n', '-1\n', 'me\n']) {
			await writeFile(`${file}.lock`, owner);
			await (await openLogFile(file)).close();
		}
		expect(kill.mock.calls).toEqual([[7, 0]]);
	});

	it('that cannot be opened says why, and stays unlocked', async () => {
		await mkdir(file, { recursive: true });
		await expect(openLogFile(file)).rejects.toMatchObject({ code: 'EISDIR' });
		await expect(stat(`${file}.lock`)).rejects.toMatchObject({ code: 'ENOENT' });
		await expect(openLogFile(path.join(folder, 'x'.repeat(252)))).rejects.toMatchObject({ code: 'ENAMETOOLONG' });
	});

	it.runIf(process.platform === 'linux')('says why it cannot be locked where nothing can be written', async () => {
		await expect(openLogFile('/proc/self/session.jsonl')).rejects.toMatchObject({ code: 'ENOENT' });
	});

	it('is open in one process at a time; the lock of an ended process does not count', async () => {
		const { close } = await openLogFile(file);
		await expect(openLogFile(file)).rejects.toThrow('Another process has this session open');
		await close();
		// Above the largest process id of Linux.
		await writeFile(`${file}.lock`, '4194305\n');
		await (await openLogFile(file)).close();
		await expect(stat(`${file}.lock`)).rejects.toThrow('ENOENT');
	});
});
