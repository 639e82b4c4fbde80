import { platform } from 'node:process';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import type { ExecutionEnvironment, FileChange } from '#environment/contract.ts';
import type { Channel } from '#environment/remote/channel.ts';
import { RemoteExecutionEnvironment } from '#environment/remote/environment.ts';
import { encodeControl, Link } from '#environment/remote/link.ts';
import { hostTerminals } from '#server/machines/host-terminal.ts';
import { codeOf, until } from '#test/contract/environment/checks.ts';
import { connectPair, createMachine, type Machine } from './temporary.ts';

let machine: Machine | undefined;
let environment: RemoteExecutionEnvironment | undefined;
afterEach(async () => {
	await environment?.cleanup();
	await machine?.dispose();
});

/** A channel that delays frames for a moment, and loses them if it breaks meanwhile. */
function lossy(channel: Channel): Channel {
	let isBroken = false;
	const later = (deliver: () => void): void => void setImmediate(() => isBroken || deliver());
	return {
		send: (frame) => later(() => channel.send(frame)),
		listen: ({ onFrame, onClose }) =>
			channel.listen({
				onFrame: (frame) => later(() => onFrame(frame)),
				onClose: (reason) => void setImmediate(() => onClose(reason))
			}),
		close: (reason) => {
			isBroken = true;
			channel.close(reason);
		}
	};
}

/** Resolves with the number of bytes a program has written, once it stops writing. */
async function writtenWhenStopped(there: ExecutionEnvironment | undefined): Promise<number> {
	let before = 0;
	await expect
		.poll(
			async () => {
				const said = (await there?.exec('grep wchar "/proc/$(cat pid.txt)/io"'))?.stdout ?? '';
				const now = Number(/\d+/.exec(said)?.[0]);
				const hasStopped = now > 0 && now === before;
				before = now;
				return hasStopped;
			},
			{ timeout: 50_000, interval: 500 }
		)
		.toBe(true);
	return before;
}

/** Prints its process id, then this many bytes. */
const printing = (bytes: number): string =>
	`sh -c 'echo $$ > pid.txt; exec head -c ${bytes} /dev/zero' | tr '\\0' y; touch done`;

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
	const pair = connectPair(created);
	const connect = async (): Promise<Channel> => {
		const channel = lossy(await pair());
		channels.push(channel);
		return channel;
	};
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

	it.skipIf(platform !== 'linux')('makes a command wait whose output the page does not take', async () => {
		const { remote, channels, machine: there } = await connected();
		channels[0]?.listen({ onFrame: () => undefined, onClose: () => undefined });
		void remote.exec(printing(60_000_000)).catch(() => undefined);
		// Four megabytes may be in transit; the rest stays in the program.
		expect(await writtenWhenStopped(there.there)).toBeLessThan(30_000_000);
		expect(await there.there?.fileExists('done')).toBe(false);
	});

	it.skipIf(platform !== 'linux')(
		'makes a terminal wait that prints faster than the page displays',
		async ({ skip }) => {
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
			terminal.write(`${printing(6_000_000)}\r`);
			expect(await writtenWhenStopped(there.there)).toBeLessThan(3_000_000);
			expect(await there.there?.fileExists('done')).toBe(false);
			expect(seen).toBeLessThan(2_000_000);
			display();
			await until(async () => remote.fileExists('done'));
			await until(() => seen > 6_000_000);
			await terminal.close();
		}
	);

	it('goes on with another channel after frames that are none of the protocol', async () => {
		const { remote, channels, states } = await connected();
		channels[0]?.send(new Uint8Array([9, 9, 9]));
		await until(() => states.includes('reconnecting'));
		expect(await remote.fileExists('a.txt')).toBe(false);
	});
});

describe('a link', () => {
	const PART = 1;
	const LAST = 2;
	/** Frame of one message with an empty header, or with the given bytes. */
	const frame = (seq: number, kind = LAST, bytes: readonly number[] = [0, 0, 0, 2, 0x7b, 0x7d]): Uint8Array =>
		new Uint8Array([kind, 0, 0, 0, seq, ...bytes]);
	const linked = () => {
		const detached: string[] = [];
		let packets = 0;
		const link = new Link({ onPacket: () => void packets++, onDetached: (reason) => void detached.push(reason) });
		const take = link.attach({ send: () => undefined, listen: () => undefined, close: () => undefined }, 0);
		onTestFinished(() => link.close());
		return { take, detached, packets: () => packets };
	};

	it.each([
		['of an unknown kind', frame(1, 9)],
		['without a number', new Uint8Array([LAST, 0, 0])],
		['behind a gap', frame(3)],
		['whose header is longer than the message', frame(1, LAST, [0, 0, 1, 0, 0x7b, 0x7d])],
		['whose header is no JSON', frame(1, LAST, [0, 0, 0, 2, 0x7b, 0x7b])],
		['that acknowledge what was never sent', encodeControl({ type: 'ack', received: 7 })],
		['of a handshake in the middle', encodeControl({ type: 'welcome', received: 0 })]
	])('ends its channel at frames %s', (_what, wrong) => {
		const { take, detached, packets } = linked();
		take(wrong);
		expect(detached).toEqual([expect.stringContaining('broke the protocol')]);
		expect(packets()).toBe(0);
	});

	it('takes each frame once, and nothing from a channel that broke the protocol', () => {
		const { take, detached, packets } = linked();
		for (const seq of [1, 1, 2, 1, 2]) take(frame(seq));
		expect(packets()).toBe(2);
		take(frame(3, PART));
		expect(detached).toEqual([]);
		take(frame(4, 9));
		take(frame(5));
		expect(packets()).toBe(2);
		expect(detached).toHaveLength(1);
	});

	it('does not continue with a side that lost what is no longer here', () => {
		const link = new Link({ onPacket: () => undefined, onDetached: () => undefined });
		const silent = { send: () => undefined, listen: () => undefined, close: () => undefined };
		const take = link.attach(silent, 0);
		for (let packet = 0; packet < 3; packet++) link.send({ packet });
		take(encodeControl({ type: 'ack', received: 2 }));
		expect(() => link.attach(silent, 1)).toThrow('does not continue');
		expect(() => link.attach(silent, 4)).toThrow('does not continue');
		link.attach(silent, 2);
		link.close();
	});
});
