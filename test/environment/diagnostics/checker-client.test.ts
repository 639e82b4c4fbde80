import { describe, expect, it } from 'vitest';
import { type Asked, CheckerClient } from '#environment/diagnostics/checker-client.ts';
import type { LineListener, StartLineProcess } from '#environment/diagnostics/line-process.ts';

const CHECK: Asked = { type: 'check', edits: [], changed: [], withinMs: 1 };
const LONG = 20_000;

/** A process that handles each line as the test says. */
function fake(onLine: (line: string, listener: LineListener) => void): {
	start: StartLineProcess;
	starts: LineListener[];
	killed: number;
} {
	const made = {
		starts: [] as LineListener[],
		killed: 0,
		start: (listener: LineListener) => {
			made.starts.push(listener);
			return Promise.resolve({ send: (line: string) => onLine(line, listener), kill: () => void made.killed++ });
		}
	};
	return made;
}

const answer = (line: string, listener: LineListener, more: object = {}): void =>
	listener.onLine(JSON.stringify({ id: JSON.parse(line).id, problems: [], ...more }));

describe('who asks a checker', () => {
	it('is not started before it is asked, then once', async () => {
		const process = fake(answer);
		const client = new CheckerClient(process.start);
		expect(process.starts).toHaveLength(0);
		expect(await client.ask(CHECK, LONG)).toMatchObject({ problems: [] });
		await client.ask(CHECK, LONG);
		expect(process.starts).toHaveLength(1);
		client.close();
	});

	it('gets nothing in place of a late answer, and what comes late belongs to no other question', async () => {
		const lines: string[] = [];
		const process = fake((line, listener) => {
			lines.push(line);
			if (lines.length === 2) for (const each of lines) answer(each, listener, { notice: each });
		});
		const client = new CheckerClient(process.start);
		expect(await client.ask(CHECK, 0)).toBeNull();
		expect(client.pending).toBe(1);
		expect((await client.ask(CHECK, LONG))?.notice).toBe(lines[1]);
		expect(client.pending).toBe(0);
		client.close();
	});

	it('starts it again after a crash, and gives up after three with a word about it', async () => {
		const process = fake((_, listener) => listener.onEnd());
		const client = new CheckerClient(process.start);
		for (let crash = 1; crash <= 3; crash++) {
			expect(client.notice).toBeUndefined();
			expect(await client.ask(CHECK, LONG)).toBeNull();
			expect(process.starts).toHaveLength(crash);
		}
		expect(await client.ask(CHECK, LONG)).toBeNull();
		expect(process.starts).toHaveLength(3);
		expect(client.notice).toContain('given up');
	});

	it('counts one that cannot be started as a crash, and one that is not there as nothing', async () => {
		let tries = 0;
		const failing = new CheckerClient(() => {
			tries++;
			return Promise.reject(new Error('no memory'));
		});
		for (let times = 0; times < 5; times++) expect(await failing.ask(CHECK, LONG)).toBeNull();
		expect(tries).toBe(3);
		let looks = 0;
		const missing = new CheckerClient(() => {
			looks++;
			return Promise.resolve(null);
		});
		for (let times = 0; times < 5; times++) expect(await missing.ask(CHECK, LONG)).toBeNull();
		expect(looks).toBe(1);
		expect(missing.notice).toBeUndefined();
	});

	it('takes no answer that is not one, whatever a hostile compiler prints', async () => {
		const process = fake((line, listener) => {
			const { id } = JSON.parse(line);
			listener.onLine('no JSON');
			listener.onLine(JSON.stringify({ id, problems: [{ path: 5 }] }));
			listener.onLine(JSON.stringify({ id, problems: Array.from({ length: 501 }, () => problem) }));
			answer(line, listener, { problems: [problem] });
		});
		const problem = { path: '/a', line: 1, column: 1, severity: 'error', message: 'm' };
		const client = new CheckerClient(process.start);
		expect((await client.ask(CHECK, LONG))?.problems).toEqual([problem]);
		client.close();
	});

	it('ends with its environment, answers nothing more, and frees who waits', async () => {
		const process = fake(() => {});
		const client = new CheckerClient(process.start);
		const waiting = client.ask(CHECK, LONG);
		await expect.poll(() => process.starts.length).toBe(1);
		client.close();
		expect(await waiting).toBeNull();
		expect(await client.ask(CHECK, LONG)).toBeNull();
		expect(process.killed).toBe(1);
	});
});
