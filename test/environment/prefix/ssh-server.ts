import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { until } from '#test/contract/environment/checks.ts';

const SSHD = ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/opt/homebrew/sbin/sshd'].find((path) => existsSync(path));

/** Reason why no server can run here; `undefined` if one can. */
export const noSshServer = SSHD === undefined ? 'no sshd is installed' : undefined;

export interface SshServer {
	/** The command that reaches it. */
	prefix: string[];
	stop(): Promise<void>;
}

/**
 * Starts a real `sshd` on the loopback address, with separate keys; the machine's configuration is neither read nor
 * changed.
 */
export async function startSshServer(): Promise<SshServer> {
	if (SSHD === undefined) throw new Error('no sshd is installed');
	const directory = await mkdtemp(join(tmpdir(), 'sandglass-ssh-'));
	const at = (name: string): string => join(directory, name);
	for (const key of ['host', 'user']) execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at(key)]);
	await writeFile(at('authorized'), await readFile(at('user.pub')), { mode: 0o600 });
	const port = await freePort();
	const settings = [
		`Port ${port}`,
		'ListenAddress 127.0.0.1',
		`HostKey ${at('host')}`,
		`AuthorizedKeysFile ${at('authorized')}`,
		`PidFile ${at('pid')}`,
		'PasswordAuthentication no',
		'KbdInteractiveAuthentication no',
		'UsePAM no',
		// The test's directory is below a world-writable one.
		'StrictModes no',
		'MaxSessions 30'
	];
	await writeFile(at('settings'), `${settings.join('\n')}\n`);
	// As root it needs an empty directory, which is only created when the service starts.
	if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true });
	const server = spawn(SSHD, ['-D', '-e', '-f', at('settings')], { stdio: ['ignore', 'ignore', 'pipe'] });
	let said = '';
	server.stderr.on('data', (data: Buffer) => (said += data.toString()));
	await until(async () => {
		if (server.exitCode !== null) throw new Error(`sshd ended: ${said}`);
		return answers(port);
	});
	const options = [
		['IdentityFile', at('user')],
		['IdentitiesOnly', 'yes'],
		['UserKnownHostsFile', at('known')],
		['StrictHostKeyChecking', 'accept-new'],
		['LogLevel', 'ERROR'],
		['BatchMode', 'yes'],
		['ControlMaster', 'auto'],
		['ControlPath', at('c')],
		['ControlPersist', '60']
	];
	const words = options.flatMap(([name, value]) => ['-o', `${name}=${value}`]);
	const host = `${userInfo().username}@127.0.0.1`;
	const prefix = ['ssh', '-F', 'none', '-T', ...words, '-p', String(port), host];
	return {
		prefix,
		async stop() {
			execFileSync('ssh', [...prefix.slice(1, -1), '-O', 'exit', host], { stdio: 'ignore' });
			await ended(server);
			await rm(directory, { recursive: true, force: true });
		}
	};
}

async function ended(server: ChildProcess): Promise<void> {
	const closed = new Promise((resolve) => server.once('exit', resolve));
	server.kill('SIGTERM');
	await closed;
}

async function freePort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return port;
}

function answers(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = connect(port, '127.0.0.1');
		socket.once('data', () => {
			resolve(true);
			socket.destroy();
		});
		socket.once('error', () => resolve(false));
	});
}
