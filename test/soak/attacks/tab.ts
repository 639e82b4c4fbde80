import { createWasmEnvironment } from '#computer/host/environment.ts';
import type { Target } from './attempt.ts';
import type { Attack } from './lines.ts';

/** Opens a computer in the tab with a small repository, whose requests are counted and not answered. */
export async function openTab(): Promise<Target> {
	const reached: string[] = [];
	const sandbox = createWasmEnvironment({
		egress: ({ url }) => {
			reached.push(url);
			return Promise.reject(Object.assign(new Error('no network'), { code: 'ECONNREFUSED' }));
		}
	});
	await sandbox.initialize();
	await sandbox.exec(
		'git init -q . && echo one > a.txt && mkdir src && echo two > src/b.txt && echo "alias x=y" > ~/.bashrc && git add . && git -c user.name=n -c user.email=e@x commit -qm first'
	);
	const process = await sandbox.start('sleep 100000');
	const victim = { pid: process.pid, ended: false };
	void process.exited.then(() => (victim.ended = true));
	const works = async ({ harm, line }: Attack): Promise<boolean> => {
		const copy = await sandbox.runOnTrial(line, {
			timeoutMs: 30_000,
			env: { VICTIM: '1' },
			rights: { write: 'all', network: 'all', signal: 'all' }
		});
		try {
			const { files, leftRunning } = copy.effects;
			if (harm.kind === 'file') return files.some(({ path }) => path.endsWith(harm.name));
			if (harm.kind === 'left running') return leftRunning.some((one) => one.includes(harm.name));
			if (harm.kind === 'host') return reached.some((url) => new URL(url).host === harm.name);
			// A signal has no harmless copy: the question naming it is proof enough.
			return false;
		} finally {
			await copy.discard();
			reached.length = 0;
		}
	};
	return {
		environment: sandbox,
		place: {
			home: '/home/user',
			scratch: '/tmp',
			addresses: ['https://evil.example', 'https://evil.example:8443'],
			nap: '1234'
		},
		isMachine: false,
		victim,
		reached,
		knows: () => 'by name',
		works,
		state: async () => {
			const { id } = await sandbox.snapshot();
			const { stdout } = await sandbox.exec(
				'find /home/user /tmp -type f -exec sha1sum {} + | sort; ps -eo args | grep -c "sleep 123[4]"'
			);
			return `${id} ${stdout} ${JSON.stringify(sandbox.loopback.ports)} ${victim.ended}`;
		},
		close: () => sandbox.cleanup()
	};
}
