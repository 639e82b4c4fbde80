import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { getuid } from 'node:process';
import { describe, expect, it } from 'vitest';
import { directoriesToCover, isCovered } from '#environment/local/trial/layers.ts';
import { createTemporary, removeTemporary } from './temporary.ts';
import { runAsOrdinaryUser } from './ordinary-user.ts';

async function canRunTrials(): Promise<boolean> {
	const environment = await createTemporary();
	const { runOnTrial } = environment;
	await environment.cleanup();
	await removeTemporary();
	return runOnTrial !== undefined;
}

/** User that no other test runs anything as, so that leftovers are its own. */
const LONELY = 65_531;

/** Six trials one after another; prints an error in one, or what they left in the temporary directories. */
const SIX_TRIALS = `
	import { LocalExecutionEnvironment } from '#root/src/environment/local/environment.ts';
	import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
	const places = ['/var/tmp', '/dev/shm', '/tmp'];
	const own = () => places.flatMap((place) =>
		readdirSync(place)
			.filter((name) => name.startsWith('sandglass-trial-'))
			.map((name) => place + '/' + name)
			.filter((path) => statSync(path, { throwIfNoEntry: false })?.uid === ${LONELY})
	);
	const before = own();
	const workingDirectory = mkdtempSync('/tmp/sandglass-ordinary-');
	const environment = new LocalExecutionEnvironment({ workingDirectory, diagnosticsScript: null });
	await environment.initialize();
	if (!environment.runOnTrial) console.log('no trials');
	else for (let at = 0; at < 6; at++) {
		const closed = at % 4 === 0 ? 'mkdir -p a/b && echo x > a/b/c && chmod 0 a/b;' : '';
		const command = closed + ' id -u; echo x > here.txt; echo y > /tmp/there; mkdir -p d';
		const trial = await environment.runOnTrial(command, { rights: { write: [], network: [], signal: 'own' } });
		const { files } = trial.effects;
		if (!files.some(({ path }) => path === workingDirectory + '/here.txt')) console.log(trial.result, trial.effects);
		await trial.discard();
	}
	await environment.cleanup();
	rmSync(workingDirectory, { recursive: true });
	for (const path of own()) if (!before.includes(path)) console.log('left', path);
`;

/** Prints for each command whether it may have unseen effects, and the effects seen. */
const twoTrials = (workingDirectory: string, ...commands: string[]): string => `
	import { LocalExecutionEnvironment } from '#root/src/environment/local/environment.ts';
	const workingDirectory = ${JSON.stringify(workingDirectory)};
	const environment = new LocalExecutionEnvironment({ workingDirectory, diagnosticsScript: null });
	await environment.initialize();
	for (const command of ${JSON.stringify(commands)}) {
		const trial = await environment.runOnTrial(command, { rights: { write: [], network: [], signal: 'own' } });
		const { files, unnamed } = trial.effects;
		const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
		console.log(unnamed, sorted.map(({ path, kind }) => kind + ' ' + path).join(', '));
		await trial.discard();
	}
	await environment.cleanup();
`;

describe('the files of a trial', () => {
	it('can lie in a directory that is covered, where that is another mount', () => {
		const mounts = ['/', '/dev/shm', '/home'];
		expect(isCovered('/var/tmp', ['/'], mounts)).toBe(true);
		expect(isCovered('/dev/shm', ['/'], mounts)).toBe(false);
		expect(isCovered('/home/me', ['/', '/home'], mounts)).toBe(true);
		expect(isCovered('/tmp2', ['/tmp'], mounts)).toBe(false);
	});

	it('cover no whole file system, of which an ordinary user gets no overlay', () => {
		const all = directoriesToCover(['/work', '/', '/tmp'], '/work');
		expect(all).toEqual(getuid?.() === 0 ? ['/work', '/', '/tmp', '/work'] : ['/work', '/tmp', '/work']);
	});
});

describe.skipIf(!(await canRunTrials()))('trials of an ordinary user', () => {
	it.each<Record<string, string>>([
		{ HOME: '/tmp' },
		{ HOME: '/' },
		{ HOME: '/nonexistent' },
		{ HOME: '/tmp', TMPDIR: '/var/tmp' }
	])('have a place and leave nothing there, with %j', (variables) => {
		expect(runAsOrdinaryUser(SIX_TRIALS, variables, LONELY)).toBe('');
	});

	it.skipIf(getuid?.() !== 0)('work where other file systems are mounted below the folder, the home and /tmp', () => {
		const top = mkdtempSync('/tmp/sandglass-mounted-');
		const [work, home] = [path.join(top, 'work'), path.join(top, 'home')];
		const mounts = [path.join(work, 'mnt/disk'), path.join(home, 'disk')];
		for (const place of [...mounts, path.join(work, 'src'), path.join(work, 'mnt/beside'), path.join(home, '.npm')])
			mkdirSync(place, { recursive: true });
		writeFileSync(path.join(work, 'src/old.txt'), 'old');
		try {
			execFileSync('chown', ['-R', `${LONELY}`, top]);
			const command = 'echo new > src/new.txt; rm src/old.txt; echo x > mnt/beside/x; echo y > ~/.npm/y';
			const said = runAsOrdinaryUser(twoTrials(work, command, 'touch top.txt'), { HOME: home }, LONELY, mounts);
			expect(said.split('\n')).toEqual([
				`false added ${home}/.npm/y, added ${work}/mnt/beside/x, added ${work}/src/new.txt, removed ${work}/src/old.txt`,
				// Next to a mount nothing can be covered: what is refused there needs permission.
				'true ',
				''
			]);
			expect(readdirSync(path.join(work, 'src'))).toEqual(['old.txt']);
		} finally {
			rmSync(top, { recursive: true });
		}
	});

	it('leave nothing when discarding them is the last thing that a program does', () => {
		const script = `
			import { OverlaySpace } from '#root/src/environment/local/trial/space.ts';
			const space = await OverlaySpace.open(['/tmp']);
			await space.dispose();
			console.log('disposed');
		`;
		expect(runAsOrdinaryUser(script, {}, LONELY)).toBe('disposed\n');
	});
});
