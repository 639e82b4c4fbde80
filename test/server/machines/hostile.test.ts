import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { LinkAcceptor } from '#environment/remote/accept.ts';
import { channelPair, type Channel } from '#environment/remote/channel.ts';
import { RemoteExecutionEnvironment } from '#environment/remote/environment.ts';
import { EnvironmentHost } from '#environment/remote/host.ts';
import { serversOf } from '#environment/remote/servers.ts';
import type { MachineProvider } from '#server/machines/contract.ts';
import { dockerProvider } from '#server/machines/docker.ts';
import { IMAGE, startDaemon, type Daemon } from './docker-daemon.ts';
import { addLyingTools, tellLies, type Tool } from './lying-tools.ts';

const MB = 2 ** 20;
const LIMITS = { cpus: 2, memoryBytes: 512 * MB, pids: 64, diskBytes: 400 * MB, lifetimeS: 600 };
const REGULAR = '81a4';
const TIMES = '2026-01-01 00:00:00.000000000 +0000/2026-01-01 00:00:00.000000000 +0000';
/** Line of `find` for a file in the workspace. */
const listed = (path: string, size = '1', inode = '7'): string =>
	`printf '%s\\n' '${REGULAR} ${size} ${inode} ${TIMES} ${path}'; exit 0`;

const started = await startDaemon(addLyingTools);
const reason = 'reason' in started ? started.reason : undefined;

/** Peak memory growth of this process, which is the machine's server here, during some work. */
async function growthDuring(work: () => Promise<unknown>): Promise<number> {
	const used = (): number => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
	const before = used();
	let most = before;
	const timer = setInterval(() => (most = Math.max(most, used())), 20);
	try {
		await work();
	} finally {
		clearInterval(timer);
	}
	return most - before;
}

/** Holds back data from a channel, like a page that is busy or asleep. */
class Gate {
	#held: (() => void)[] | undefined;

	before(channel: Channel): Channel {
		return {
			send: (frame) => channel.send(frame),
			listen: ({ onFrame, onClose }) =>
				channel.listen({
					onFrame: (frame) => {
						if (this.#held) this.#held.push(() => onFrame(frame));
						else onFrame(frame);
					},
					onClose
				}),
			close: (reason) => channel.close(reason)
		};
	}

	shut(): void {
		this.#held = [];
	}

	open(): void {
		const held = this.#held ?? [];
		this.#held = undefined;
		for (const pass of held) pass();
	}
}

describe.skipIf(reason !== undefined)(
	`a hostile container${reason === undefined ? '' : ` (skipped: ${reason})`}`,
	{ timeout: 120_000 },
	() => {
		const daemon = started as Daemon;
		let provider: MachineProvider;
		let acceptor: LinkAcceptor;
		let page: RemoteExecutionEnvironment;
		let id: string;
		const states: string[] = [];
		const gate = new Gate();

		beforeAll(async () => {
			provider = dockerProvider({ ...LIMITS, engine: daemon.socket, image: IMAGE, owner: 'hostile' });
			({ id } = await provider.create());
			acceptor = new LinkAcceptor({
				open: async (_id, link) => new EnvironmentHost(await provider.attach(id), link)
			});
			page = new RemoteExecutionEnvironment({
				connect: async () => {
					const [near, far] = channelPair();
					acceptor.accept(far);
					return gate.before(near);
				},
				onState: (state) => states.push(state)
			});
			await page.initialize();
		}, 120_000);

		afterEach(async () => {
			await tellLies(daemon, id, {});
			// In any case, the session of the page continues over the same connection.
			await page.exec('cd /workspace && rm -rf -- * .[!.]*');
			await page.writeFile('after.txt', 'works');
			expect(await page.readFile('after.txt')).toBe('works');
			expect(states).toEqual(['connected']);
		}, 120_000);

		afterAll(async () => {
			await page?.cleanup();
			await acceptor?.close();
			await provider?.destroy(id);
			await daemon.stop();
		}, 120_000);

		const lie = (lies: Partial<Record<Tool, string>>): Promise<void> => tellLies(daemon, id, lies);
		const takesCare = /Bring the session back to the tab/i;

		it.each([
			['leads out of the workspace', listed('/workspace/../etc/passwd')],
			['is absolute and elsewhere', listed('/etc/passwd')],
			['begins like the workspace', listed('/workspaces/a')],
			['has a null part', listed('/workspace//a')],
			['is the workspace', listed('/workspace/')]
		])('is not believed a path that %s', async (_title, find) => {
			await lie({ find });
			await expect(page.snapshot()).rejects.toThrow(takesCare);
			await expect(page.listDirectory('.', 1)).rejects.toThrow(takesCare);
		});

		it.each([
			['negative', '-5'],
			['too large for a number', '9'.repeat(16)],
			['of a million digits', '$(head -c 1000000 /dev/zero | tr "\\0" 9)']
		])('is not believed a size that is %s', async (_title, size) => {
			const line = `${REGULAR} ${size} 7 ${TIMES}`;
			await lie({ find: `echo "${line} /workspace/a"; exit 0`, stat: `echo "${line}"; exit 0` });
			await expect(page.snapshot()).rejects.toThrow(takesCare);
			await page.writeFile('a', 'x').then(
				() => expect.unreachable('The size was believed.'),
				(error: Error) => expect(error.message).toMatch(takesCare)
			);
		});

		it('gets no more than a limit of memory by an endless listing', async () => {
			await lie({ find: `yes '${REGULAR} 1 7 ${TIMES} /workspace/endless'` });
			const grown = await growthDuring(() => expect(page.snapshot()).rejects.toThrow('lists more than 32 MB'));
			expect(grown).toBeLessThan(200 * MB);
		});

		it('gets no more than a limit of memory by an endless file', async () => {
			await page.writeFile('endless.txt', 'short');
			await lie({ cat: 'yes 0123456789abcdef0123456789abcdef' });
			const grown = await growthDuring(() =>
				expect(page.readFile('endless.txt')).rejects.toThrow('larger than 256 MB')
			);
			expect(grown).toBeLessThan(700 * MB);
		});

		it('is not believed an archive with a member of a negative size, or none at all', async () => {
			for (const tar of [
				`head -c 1024 /dev/zero | tr '\\0' '\\377'; exit 0`,
				'echo no archive at all; yes | head -c 9000; exit 0'
			]) {
				await lie({});
				await page.exec(`echo ${Math.random()} > archived.txt`);
				await lie({ tar });
				await expect(page.snapshot()).rejects.toThrow(takesCare);
			}
		});

		it('prints without an end, and waits while the page takes nothing', async () => {
			let characters = 0;
			gate.shut();
			let printing: Promise<unknown> | undefined;
			const grown = await growthDuring(async () => {
				printing = page.exec('yes 0123456789abcdef0123456789abcdef0123456789abcdef | head -c 300000000', {
					maxOutputCharacters: 0,
					onOutput: ({ data }) => void (characters += data.length)
				});
				let before = 0;
				// It has stopped: windows of bytes are in transit, and nothing more is written.
				await expect
					.poll(
						async () => {
							const written = await daemon.docker('exec', id, 'sh', '-c', 'grep wchar /proc/$(pidof head)/io');
							const now = Number(/\d+/.exec(written)?.[0]);
							const hasStopped = now > 0 && now === before;
							before = now;
							return hasStopped;
						},
						{ timeout: 60_000, interval: 1_000 }
					)
					.toBe(true);
				expect(before).toBeLessThan(60 * MB);
			});
			expect(grown).toBeLessThan(90 * MB);
			gate.open();
			await printing;
			expect(characters).toBe(300_000_000);
		});

		describe('a program that knows the mark of our scripts', () => {
			const MARK = `mark=$(tr '\\0' '\\n' < /proc/$PPID/cmdline | grep -m 1 '^sandglass-[0-9a-f-]*$'); [ -n "$mark" ] || exit 9;`;

			it('prints it and then a line without an end', async () => {
				let characters = 0;
				const command = `${MARK} printf %s "$mark" >&2; yes | tr -d '\\n' | head -c 150000000 >&2`;
				const grown = await growthDuring(async () => {
					const onOutput = ({ data }: { data: string }): void => void (characters += data.length);
					expect(await page.exec(command, { maxOutputCharacters: 0, onOutput })).toMatchObject({ exitCode: 0 });
				});
				expect(characters).toBeGreaterThan(150_000_000);
				expect(grown).toBeLessThan(90 * MB);
			});

			it('ends itself with a code that is none', async () => {
				const command = `${MARK} printf '%s exit 1e300 \\n' "$mark" >&2`;
				expect(await page.exec(command)).toMatchObject({ exitCode: 255 });
			});
		});

		it('kills the shell that lists its sockets, or stops it, and servers are found again', async () => {
			const servers = serversOf(page);
			if (!servers) throw new Error('Servers of this machine are out of reach.');
			const stop = servers.onPorts(() => undefined);
			const server = await page.start('exec httpd -f -p 8080 -h /workspace');
			try {
				await expect.poll(() => servers.ports.map(({ port }) => port), { timeout: 30_000 }).toEqual([8080]);
				const lister = `for p in /proc/[0-9]*; do grep -q '[w]hile read -r _' "$p/cmdline" 2>/dev/null && [ "$p" != "/proc/$$" ] && kill -s SIGNAL "\${p#/proc/}"; done; true`;
				for (const [index, signal] of ['KILL', 'STOP'].entries()) {
					await page.exec(lister.replace('SIGNAL', signal));
					const port = 8081 + index;
					const next = await page.start(`exec httpd -f -p ${port} -h /workspace`);
					await expect.poll(() => servers.ports.map((each) => each.port), { timeout: 30_000 }).toContain(port);
					await next.kill();
				}
			} finally {
				stop();
				await server.kill();
			}
		});

		it('has a tool that never answers, and the session says so', async () => {
			const other = await provider.create();
			const impatient = dockerProvider({
				...LIMITS,
				engine: daemon.socket,
				image: IMAGE,
				owner: 'hostile',
				answerLimits: { silenceMs: 2_000 }
			});
			let environment: ExecutionEnvironment | undefined;
			try {
				environment = await impatient.attach(other.id);
				await tellLies(daemon, other.id, { find: 'sleep 600' });
				await expect(environment.snapshot()).rejects.toThrow('does not answer. Bring the session back');
				await tellLies(daemon, other.id, {});
				await expect(environment.snapshot()).resolves.toBeDefined();
			} finally {
				await environment?.cleanup();
				await provider.destroy(other.id);
			}
		});

		it('is full of processes, or its disk is, and says so', async () => {
			const full = await page.exec('dd if=/dev/zero of=big bs=1M count=500');
			expect(full.stderr).toMatch(/No space left/);
			await expect(page.writeFile('one-more.txt', 'x'.repeat(100_000))).rejects.toThrow('The disk is full');
			await page.exec('rm -f big');
			const bomb = await provider.create();
			const there = await provider.attach(bomb.id);
			const ended = there.exec('f() { f | f & }; f; sleep 60', { timeoutMs: 2_000 }).catch((error: unknown) => error);
			expect((await page.exec('echo untouched')).stdout).toBe('untouched\n');
			await provider.destroy(bomb.id);
			await ended;
			await there.cleanup();
		});
	}
);
