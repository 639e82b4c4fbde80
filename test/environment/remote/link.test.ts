import { afterEach, describe, expect, it } from 'vitest';
import type { FileChange } from '#environment/contract.ts';
import type { Channel } from '#environment/remote/channel.ts';
import { RemoteExecutionEnvironment } from '#environment/remote/environment.ts';
import { hostTerminals } from '#server/machines/host-terminal.ts';
import { codeOf, until } from '#test/contract/environment/checks.ts';
import { connectPair, createMachine, type Machine } from './temporary.ts';

let machine: Machine | undefined;
let environment: RemoteExecutionEnvironment | undefined;
afterEach(async () => {
	await environment?.cleanup();
	await machine?.dispose();
});

async function connected(giveUpMs?: number): Promise<{
	remote: RemoteExecutionEnvironment;
	channels: Channel[];
	machine: Machine;
	states: string[];
}> {
	const created = await createMachine();
	machine = created;
	const channels: Channel[] = [];
	const states: string[] = [];
	const connect = connectPair(created, (channel) => channels.push(channel));
	environment = new RemoteExecutionEnvironment({ connect, onState: (state) => states.push(state), giveUpMs });
	await environment.initialize();
	return { remote: environment, channels, machine: created, states };
}

describe('a connection to a machine that breaks', () => {
	it('neither loses nor repeats output, and goes on by itself', async () => {
		const { remote, channels, states } = await connected();
		let seen = '';
		const running = remote.exec('i=0; while [ $i -lt 300 ]; do echo line $i; i=$((i + 1)); sleep 0.002; done', {
			onOutput: ({ data }) => {
				seen += data;
				if (channels.length < 6 && seen.length > channels.length * 400) channels.at(-1)?.close('broken by the test');
			}
		});
		const expected = Array.from({ length: 300 }, (_, index) => `line ${index}\n`).join('');
		expect((await running).stdout).toBe(expected);
		expect(seen).toBe(expected);
		expect(channels.length).toBe(6);
		expect(states.filter((state) => state === 'reconnecting').length).toBe(5);
	});

	it('neither loses nor repeats a journal entry', async () => {
		const { remote, channels } = await connected();
		const changes: FileChange[] = [];
		remote.onChange((change) => changes.push(change));
		for (let index = 0; index < 40; index++) {
			const written = remote.writeFile(`f${index}.txt`, `content ${index}`);
			if (index % 8 === 3) channels.at(-1)?.close();
			await written;
		}
		expect(changes.map(({ seq }) => seq)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
		expect(new Set(changes.map(({ path }) => path)).size).toBe(40);
	});

	it('reports a machine that no longer knows the page as lost, once', async () => {
		const { remote, channels, machine: there, states } = await connected();
		const pending = remote.exec('sleep 30');
		const background = await remote.start('sleep 30');
		await there.acceptor.close();
		expect((await pending).exitCode).toBeGreaterThan(0);
		expect((await background.exited).exitCode).toBeGreaterThan(0);
		await until(() => states.includes('lost'));
		expect(await codeOf(remote.readFile('a.txt'))).toBe('EUNAVAILABLE');
		expect(states.filter((state) => state === 'lost')).toEqual(['lost']);
		expect(channels.length).toBeGreaterThan(1);
	});

	it('makes a command wait whose output the page does not take', async () => {
		const { remote, channels, machine: there } = await connected();
		channels[0]?.listen({ onFrame: () => undefined, onClose: () => undefined });
		void remote.exec('yes | head -c 60000000; touch done').catch(() => undefined);
		await until(() => there.acceptor.linkIds.length === 1);
		// Four megabytes may be on their way, and the rest stays in the program: another one that writes as much ends first.
		for (let i = 0; i < 3; i++) await there.there?.exec('yes | head -c 60000000 | wc -c');
		expect(await there.there?.fileExists('done')).toBe(false);
	});

	it('makes a terminal wait that prints faster than the page displays', async ({ skip }) => {
		if (!(await hostTerminals())) skip('There are no terminal devices here.');
		const { remote, machine: there } = await connected();
		const terminal = await remote.openTerminal({ columns: 80, rows: 24 });
		let display = (): void => undefined;
		const displayed = new Promise<void>((resolve) => (display = resolve));
		let seen = 0;
		terminal.onData((data) => {
			seen += data.length;
			return displayed;
		});
		terminal.write('yes | head -c 6000000; touch done\r');
		for (let i = 0; i < 3; i++) await there.there?.exec('yes | head -c 60000000 | wc -c');
		expect(await there.there?.fileExists('done')).toBe(false);
		expect(seen).toBeLessThan(2_000_000);
		display();
		await until(async () => remote.fileExists('done'));
		await until(() => seen > 6_000_000);
		await terminal.close();
	});

	it('refuses frames that are none of the protocol', async () => {
		const { remote, channels, states } = await connected();
		channels[0]?.send(new Uint8Array([9, 9, 9]));
		await until(() => states.includes('reconnecting'));
		expect(await remote.fileExists('a.txt')).toBe(false);
	});
});
