import { createServer, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { READ_ONLY_RIGHTS, type Rights } from '#environment/contract.ts';
import { seatbeltProfile } from '#environment/local/confinement/seatbelt.ts';
import { EffectScope, planLayers } from '#environment/local/trial/layers.ts';
import { codeOf } from '#test/contract/environment/checks.ts';
import { describeRights } from '#test/contract/environment/rights.ts';
import { isEnforced, missingEnforcement } from './enforcement.ts';
import { NOBODY, runAsOrdinaryUser } from './ordinary-user.ts';
import { createTemporary, removeTemporary } from './temporary.ts';

describe.skipIf(!isEnforced)(`enforced by the operating system${missingEnforcement}`, () => {
	describeRights('LocalExecutionEnvironment', {
		create: () => createTemporary(),
		dispose: removeTemporary,
		openOutside: async () => {
			let hits = 0;
			const server = createServer((socket) => {
				hits++;
				socket.end('hello\n');
			});
			await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
			const { port } = server.address() as AddressInfo;
			return {
				command: `node -e "require('net').connect(${port}, '127.0.0.1').resume().on('error', () => process.exit(1))"`,
				host: `127.0.0.1:${port}`,
				hits: () => hits,
				close: () => new Promise((resolve) => server.close(() => resolve()))
			};
		},
		lacks: {
			'named hosts': 'a network namespace refuses without a word',
			'named signals': 'processes outside cannot be seen'
		}
	});
});

describe.skipIf(!isEnforced)(`rights on this machine${missingEnforcement}`, () => {
	afterEach(removeTemporary);

	it('rejects what nothing enforces', async () => {
		const environment = await createTemporary({ confinement: null });
		const missing = await createTemporary({ confinement: '/no/such/bwrap' });
		for (const one of [environment, missing]) {
			expect(one.runOnTrial).toBeUndefined();
			for (const rights of [
				READ_ONLY_RIGHTS,
				{ ...READ_ONLY_RIGHTS, write: 'all' },
				{ write: 'all', network: 'all', signal: 'own' }
			] as Rights[]) {
				expect(await codeOf(one.exec('true', { rights }))).toBe('EUNAVAILABLE');
				expect(await codeOf(one.start('true', { rights }))).toBe('EUNAVAILABLE');
			}
			expect((await one.exec('echo x')).stdout).toBe('x\n');
			await one.cleanup();
		}
	});

	it('rejects a list of hosts and paths outside the roots, which it could not hold a command to', async () => {
		const environment = await createTemporary();
		const rights = { ...READ_ONLY_RIGHTS, network: ['registry.npmjs.org'] };
		expect(await codeOf(environment.exec('true', { rights }))).toBe('EUNAVAILABLE');
		expect(await codeOf(environment.exec('true', { rights: { ...READ_ONLY_RIGHTS, write: ['/etc'] } }))).toBe('EACCES');
		await environment.cleanup();
	});

	it('reaches no service that listens in the file system', async () => {
		const environment = await createTemporary();
		const socket = `${environment.workingDirectory()}/service.sock`;
		let hits = 0;
		const server = createServer((connection) => {
			hits++;
			connection.end();
		});
		await new Promise<void>((resolve) => server.listen(socket, resolve));
		const command = `node -e "require('net').connect('${socket}').resume().on('error', (e) => { console.log(e.code); process.exit(1) })"`;
		for (const rights of [READ_ONLY_RIGHTS, { ...READ_ONLY_RIGHTS, network: 'all' }] as Rights[]) {
			expect((await environment.exec(command, { rights })).stdout).toBe('EACCES\n');
			const trial = await environment.runOnTrial?.(command, { rights });
			expect(trial?.result.stdout).toBe('EACCES\n');
			await trial?.discard();
		}
		expect(hits).toBe(0);
		expect((await environment.exec(command)).exitCode).toBe(0);
		expect(hits).toBe(1);
		await new Promise((resolve) => server.close(resolve));
		await environment.cleanup();
	});

	it('shows no process but its own, and no kernel setting that root could write', async () => {
		const environment = await createTemporary();
		process.env['RIGHTS_CANARY'] = 'secret';
		// Each file is overwritten with its own content, so that nothing changes if the write succeeds.
		const script = [
			'ls /proc | grep -c "^[0-9]*$" | xargs test 12 -gt && echo few',
			`ls /proc/${process.pid} 2>/dev/null; cat /proc/*/environ 2>/dev/null | grep -c RIGHTS_CANARY`,
			'for file in /proc/sys/kernel/core_pattern /proc/sys/vm/swappiness /sys/kernel/mm/ksm/run; do',
			'	value=$(cat $file) && { echo "$value" > $file; } 2>/dev/null && echo wrote $file',
			'done',
			'{ : > /proc/sysrq-trigger; } 2>/dev/null && echo opened sysrq-trigger',
			'mount -o remount,rw / 2>/dev/null && echo remounted; mount -o remount,rw /proc 2>/dev/null && echo remounted',
			'unshare -Urm mount -o remount,bind,rw / 2>/dev/null && echo remounted; true'
		].join('\n');
		for (const rights of [READ_ONLY_RIGHTS, { ...READ_ONLY_RIGHTS, write: 'all' }] as Rights[]) {
			const { stdout } = await environment.exec(script, { rights });
			// If everything is writable, mounting again gives no more rights.
			expect(stdout.replaceAll(rights.write === 'all' ? 'remounted\n' : '', '')).toBe('few\n0\n');
		}
		const trial = await environment.runOnTrial?.(script, { rights: READ_ONLY_RIGHTS });
		expect(trial?.result.stdout).toBe('few\n0\n');
		await trial?.discard();
		delete process.env['RIGHTS_CANARY'];
		await environment.cleanup();
	});

	it('runs and applies trials of an ordinary user, who may not write into what was closed', (context) => {
		const script = `
			import { LocalExecutionEnvironment } from '#root/src/environment/local/environment.ts';
			import { mkdtempSync } from 'node:fs';
			const home = mkdtempSync('/tmp/sandglass-ordinary-');
			const environment = new LocalExecutionEnvironment({ workingDirectory: home + '/w', home, diagnosticsScript: null });
			await environment.initialize();
			if (!environment.runOnTrial) {
				console.log('null');
				process.exit(0);
			}
			await environment.writeFile('d/b.txt', 'b');
			const command = 'id -u; rm -r d; mkdir d; echo n > d/n.txt; chmod 500 d; echo x > a.txt';
			const trial = await environment.runOnTrial(command, { rights: { write: [], network: [], signal: 'own' } });
			const { stdout } = trial.result;
			const { merged, conflicts } = await trial.apply();
			const after = await environment.readFile('d/n.txt');
			const { mode } = await environment.stat('d');
			await environment.setMode('d', 0o755);
			await environment.exec('rm -r ~');
			await environment.cleanup();
			console.log(JSON.stringify({ stdout, merged: merged.length, conflicts, after, mode }));
		`;
		const output = runAsOrdinaryUser(script);
		if (output === 'null\n') return context.skip('this machine lets an ordinary user run nothing on trial now');
		const uid = process.getuid?.() === 0 ? NOBODY : process.getuid?.();
		const expected = { stdout: `${uid}\n`, merged: 4, conflicts: [], after: 'n\n', mode: 0o500 };
		expect(JSON.parse(output)).toEqual(expected);
	});

	it('covers each directory once, and those on other mounts as well', () => {
		const mounts = ['/', '/home', '/home/me/data', '/proc'];
		expect(planLayers(['/home/me/work', '/home/me', '/tmp', '/tmp'], mounts)).toEqual({
			directories: ['/home/me', '/tmp'],
			mounts: ['/home/me/data']
		});
		expect(planLayers(['/home/me', '/home/me/data/work'], mounts).directories).toEqual([
			'/home/me',
			'/home/me/data/work'
		]);
	});

	it('takes scratch files and caches for no effects', () => {
		const scope = new EffectScope(['/home/me', '/tmp/work'], ['/tmp'], '/home/me');
		for (const place of ['/home/me/a', '/tmp/work/a', '/home/me/.cached']) expect(scope.has(place), place).toBe(true);
		for (const place of [
			'/tmp/a',
			'/etc/a',
			'/home/me/.cache/x/y',
			'/tmp/work/node_modules/.cache/z',
			'/tmp/work/__pycache__/a.pyc'
		])
			expect(scope.has(place), place).toBe(false);
	});

	it('says to the sandbox of macOS what may be written, in words it cannot take for rules', () => {
		const profile = seatbeltProfile({ write: ['/Users/me/a"b\\c'], network: false });
		expect(profile).toContain('(deny file-write*)\n(allow file-write* ');
		expect(profile).toContain('(subpath "/Users/me/a\\"b\\\\c")');
		expect(profile).toContain('(deny network*)');
		expect(seatbeltProfile({ write: 'all', network: true })).not.toContain('(deny file-write*)');
	});
});
