import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { egressOf } from '#environment/remote/egress.ts';
import { serversOf } from '#environment/remote/servers.ts';
import { ReachedServers } from '#page/machines/reached-servers.ts';
import type { MachineProvider } from '#server/machines/contract.ts';
import { dockerProvider } from '#server/machines/docker.ts';
import { describeDeviceTerminal } from '#test/contract/device-terminal.ts';
import { describeMachineProvider } from '#test/contract/machine-provider.ts';
import { IMAGE, startDaemon, type Daemon } from './docker-daemon.ts';

const LIMITS = { cpus: 1, memoryBytes: 256 * 2 ** 20, pids: 64, diskBytes: 32 * 2 ** 20, lifetimeS: 600 };

/** The Engine's description of a container, as far as it concerns confinement. */
const inspected = z.tuple([
	z.object({
		HostConfig: z.object({
			Memory: z.number(),
			MemorySwap: z.number(),
			NanoCpus: z.number(),
			PidsLimit: z.number().nullable(),
			NetworkMode: z.string(),
			IpcMode: z.string(),
			PidMode: z.string(),
			Privileged: z.boolean(),
			Binds: z.array(z.string()).nullable()
		})
	})
]);

async function text(body: AsyncIterable<Uint8Array>): Promise<string> {
	const chunks: Uint8Array[] = [];
	for await (const chunk of body) chunks.push(chunk);
	return Buffer.concat(chunks).toString();
}

const started = await startDaemon();
const reason = 'reason' in started ? started.reason : undefined;

describe.skipIf(reason !== undefined)(
	`machines in Docker${reason === undefined ? '' : ` (skipped: ${reason})`}`,
	() => {
		const daemon = started as Daemon;
		let provider: MachineProvider;
		let environment: ExecutionEnvironment;
		let id: string;

		beforeAll(async () => {
			provider = dockerProvider({ ...LIMITS, engine: daemon.socket, image: IMAGE, owner: 'test' });
			await provider.check();
			({ id } = await provider.create());
			environment = await provider.attach(id);
		}, 120_000);

		afterAll(async () => {
			await environment?.cleanup();
			await provider?.destroy(id);
			expect(await provider.list()).toEqual([]);
			await daemon.stop();
		}, 120_000);

		describeMachineProvider('as machines of any provider', {
			open: async () => dockerProvider({ ...LIMITS, engine: daemon.socket, image: IMAGE, owner: 'contract' }),
			kill: async (id) => void (await daemon.docker('kill', id))
		});

		describeDeviceTerminal('a terminal in a container', async () => environment);

		it('reads, writes and runs over the API of the Engine', async () => {
			const bytes = new Uint8Array(300_000).map((_, index) => index % 251);
			await environment.writeFile('data.bin', bytes);
			expect(await environment.readBytes('data.bin')).toEqual(bytes);
			const result = await environment.exec('wc -c < data.bin; echo wrong >&2; exit 3');
			expect(result).toMatchObject({ stdout: '300000\n', stderr: 'wrong\n', exitCode: 3 });
			expect((await environment.exec('cat', { stdin: 'typed in' })).stdout).toBe('typed in');
		});

		it('ends a command that takes too long', async () => {
			expect(await environment.exec('echo before; sleep 60', { timeoutMs: 1_500 })).toMatchObject({
				stdout: 'before\n',
				timedOut: true
			});
		});

		it('confines what runs in it', async () => {
			const { stdout } = await environment.exec(
				`id -u; grep -E '^(CapBnd|NoNewPrivs|Seccomp):' /proc/self/status; ls /sys/class/net; grep -E '^[^ ]+ (/|/tmp|/workspace) ' /proc/mounts`
			);
			expect(stdout).toMatch(/^61000\n/);
			// Capabilities that root in it could ever get, for example through a set-user-ID program.
			expect(stdout).toMatch(/CapBnd:\s+0{16}/);
			expect(stdout).toMatch(/NoNewPrivs:\s+1/);
			expect(stdout).toMatch(/Seccomp:\s+2/);
			expect(stdout).toMatch(/\nlo\n/);
			expect(stdout).not.toMatch(/eth/);
			expect(stdout).toMatch(/^\S+ \/ \S+ ro,/m);
			for (const place of ['/tmp', '/workspace'])
				expect(stdout).toMatch(
					new RegExp(`^tmpfs ${place} tmpfs rw,nosuid,nodev,\\S*size=${LIMITS.diskBytes / 1_024}k`, 'm')
				);
			// The daemon of this test has no network and no other containers to offer.
			const [container] = inspected.parse(JSON.parse(await daemon.docker('inspect', id)));
			expect(container.HostConfig).toEqual({
				Memory: LIMITS.memoryBytes,
				MemorySwap: LIMITS.memoryBytes,
				NanoCpus: LIMITS.cpus * 1e9,
				PidsLimit: LIMITS.pids,
				NetworkMode: 'none',
				IpcMode: 'private',
				PidMode: '',
				Privileged: false,
				Binds: null
			});
		});

		it('has servers that the page reaches, though it has no network', async () => {
			const found = serversOf(environment);
			if (!found) throw new Error('Servers of this machine are out of reach.');
			const stop = found.onPorts(() => undefined);
			try {
				const servers = new ReachedServers(found);
				await environment.writeFile('index.html', '<h1>From the container</h1>');
				const server = await environment.start('exec httpd -f -p 8080 -h /workspace');
				await expect.poll(() => servers.ports, { timeout: 20_000 }).toMatchObject([{ port: 8080 }]);
				expect(servers.ports[0]?.command).toBe('httpd -f -p 8080 -h /workspace');
				const answers = Array.from({ length: 30 }, async () => {
					const { status, body } = await servers.fetch(8080, { method: 'GET', target: '/', headers: [], body: null });
					return [status, await text(body)];
				});
				expect(await Promise.all(answers)).toEqual(answers.map(() => [200, '<h1>From the container</h1>']));
				await server.kill();
				await expect.poll(() => servers.ports, { timeout: 20_000 }).toEqual([]);
				const asked = servers.fetch(8080, { method: 'GET', target: '/', headers: [], body: null });
				await expect(asked).rejects.toMatchObject({ code: 'ECONNREFUSED' });
				// No relay processes are left.
				await expect.poll(async () => (await environment.exec('ps -o args | grep -c "^nc 127"')).stdout).toBe('0\n');
			} finally {
				stop();
			}
		}, 60_000);

		it('has a network that asks the page, though its image is BusyBox alone', async () => {
			const asked: string[] = [];
			const stop = egressOf(environment)?.serve(async ({ url, body }) => {
				asked.push(url);
				if (url.includes('denied')) throw new Error('denied.example was not allowed.');
				return { status: 200, statusText: 'OK', headers: [], body: Buffer.from(`${url} got ${body.length}`) };
			});
			onTestFinished(() => stop?.());
			// The input stays open, as with other clients: `nc` ends with the answer.
			const post = (host: string, pipe: string): string =>
				`(mkfifo /tmp/${pipe}; exec 3<>/tmp/${pipe}; printf 'POST http://${host}/ HTTP/1.1\\r\\nHost: ${host}\\r\\nContent-Length: 4\\r\\n\\r\\nsent' >&3; nc 127.0.0.1 \${http_proxy##*:} <&3)`;
			const allowed = await environment.exec(post('allowed.example', 'a'));
			expect(allowed.stdout).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*http:\/\/allowed.example\/ got 4$/);
			const denied = await environment.exec(post('denied.example', 'b'));
			expect(denied.stdout).toMatch(/^HTTP\/1.1 403 [^]*denied.example was not allowed\.\n$/);
			// The machine of this test may have 64 processes, and each connection takes nine.
			const many = await environment.exec(`for i in $(seq 4); do ${post('allowed.example', '$i')} & done; wait`);
			expect(many.stdout.match(/got 4/g)).toHaveLength(4);
			expect(asked).toHaveLength(6);
			await expect
				.poll(async () => (await environment.exec('ls /tmp/sandglass-egress-*')).stdout, { timeout: 10_000 })
				.toBe('authority.pem\n');
		}, 90_000);

		it('keeps a full disk to itself', async () => {
			const full = await environment.exec('dd if=/dev/zero of=big bs=1M count=64; rm -f big');
			expect(full.stderr).toMatch(/No space left/);
			await environment.writeFile('after.txt', 'works');
			expect(await environment.readFile('after.txt')).toBe('works');
		});

		it('keeps a fork bomb to itself: the machine beside it works, and the bomb can be removed', async () => {
			const bombed = await provider.create();
			try {
				const there = await provider.attach(bombed.id);
				// Its own file system calls may fail while no process can be started in it.
				const bomb = there.exec('f() { f | f & }; f; sleep 5', { timeoutMs: 2_000 }).catch((error: unknown) => error);
				expect((await environment.exec('echo untouched')).stdout).toBe('untouched\n');
				await provider.destroy(bombed.id);
				await bomb;
			} finally {
				await provider.destroy(bombed.id);
			}
			expect((await provider.list()).map((machine) => machine.id)).toEqual([id]);
		});

		it('touches no container without its label', async () => {
			const foreign = (await daemon.docker('create', '--network=none', IMAGE, 'sh')).trim();
			await expect(provider.attach(foreign)).rejects.toThrow('no longer exists');
			await expect(provider.suspend(foreign)).rejects.toThrow('no longer exists');
			await provider.destroy(foreign);
			expect((await provider.list()).map((machine) => machine.id)).toEqual([id]);
			expect(await daemon.docker('ps', '-aq', '--no-trunc')).toContain(foreign);
			await daemon.docker('rm', foreign);
		});
	}
);
