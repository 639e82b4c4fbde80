import { beforeEach, expect, it } from 'vitest';
import { fetchDirectly, NpmInMemory } from './in-memory.ts';

let box: NpmInMemory;
beforeEach(() => {
	box = new NpmInMemory(fetchDirectly);
	box.write('/workspace/package.json', { name: 'mine', version: '1.0.0' });
});
const textOf = (file: string): string => new TextDecoder().decode(box.files.readFile(file));
const said = async (command: string): Promise<string> => {
	const { stdout, stderr, code } = await box.run(command);
	expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
	return stdout;
};

it('shows settings that nobody has made as npm does', async () => {
	expect(await said('npm config get registry')).toBe('https://registry.npmjs.org/\n');
	expect(await said('npm get fund legacy-peer-deps nonsense')).toBe(
		'fund=true\nlegacy-peer-deps=false\nnonsense=undefined\n'
	);
	expect(await said('npm c get registry --registry=https://one.example/')).toBe('https://one.example/\n');
	expect(await said('npm config get userconfig')).toBe('/home/user/.npmrc\n');
});

it('sets, changes and removes them for the user or the project, and leaves other lines alone', async () => {
	box.write('/home/user/.npmrc', '; mine\n@own:registry=https://own.example/\n');
	await said('npm config set registry https://one.example/');
	await said('npm set registry=https://two.example/ save-exact=true');
	await said('npm config set save-exact=false --location=project');
	expect(textOf('/home/user/.npmrc')).toBe(
		'; mine\n@own:registry=https://own.example/\nregistry=https://two.example/\nsave-exact=true\n'
	);
	expect(await said('npm get save-exact registry @own:registry')).toBe(
		'save-exact=false\nregistry=https://two.example/\n@own:registry=https://own.example/\n'
	);
	await said('npm config delete save-exact --location project');
	expect(await said('npm get save-exact')).toBe('true\n');
	expect(textOf('/workspace/.npmrc')).toBe('');
});

it('shows no secret', async () => {
	await said('npm config set //localhost:4873/:_authToken=abc');
	const refused = await box.run('npm get //localhost:4873/:_authToken');
	expect(refused).toMatchObject({ stdout: '', code: 1 });
	expect(refused.stderr).toContain('is protected');
	const listed = await said('npm config list');
	expect(listed).toContain('; "user" config from /home/user/.npmrc');
	expect(listed).toContain('//localhost:4873/:_authToken = (protected)');
	expect(listed).not.toContain('abc');
});

it.each(['npm config', 'npm config set', 'npm config delete', 'npm config frob'])(
	'explains itself for %s',
	async (command) => {
		const { stderr, code } = await box.run(command);
		expect(code).toBe(1);
		expect(stderr).toContain('npm config set <key>=<value>');
	}
);

it('says that there is no global place', async () => {
	const { stderr, code } = await box.run('npm config set fund false --global');
	expect(code).toBe(1);
	expect(stderr).toContain('Leave out --global');
});
