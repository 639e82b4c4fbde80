import { zipSync } from 'fflate';
import { afterAll, beforeEach, expect, it } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import shellUrl from '#computer/shell/main.ts?program';
import { type TarMember, writeTar } from '#environment/archive/tar-format.ts';
import { PROGRAMS } from '#computer/program-table.ts';
import { sandboxInPage } from '../in-page.ts';

let sandbox: ExecutionEnvironment | undefined;
beforeEach(async () => {
	await sandbox?.cleanup();
	sandbox = await sandboxInPage([{ ...PROGRAMS.shell, url: shellUrl }]);
	await sandbox.writeFile('/home/user/mine.txt', 'mine');
	await sandbox.makeDirectory('/workspace/in');
});
afterAll(() => sandbox?.cleanup());

const encoder = new TextEncoder();
const member = (name: string, rest: Partial<TarMember> = {}): TarMember => ({
	name,
	kind: 'file',
	mode: 0o644,
	modifiedMs: 0,
	target: '',
	bytes: encoder.encode('hostile'),
	...rest
});
const link = (name: string, target: string) => member(name, { kind: 'symlink', target, bytes: new Uint8Array() });
const hard = (name: string, target: string) => member(name, { kind: 'hardlink', target, bytes: new Uint8Array() });

/** Everything outside the directory that an archive is unpacked to. */
async function outside(): Promise<string[]> {
	const found: string[] = [];
	for (const root of ['/home/user', '/workspace', '/tmp'])
		for (const { path } of (await sandbox?.listDirectory(root, 9)) ?? []) found.push(`${root}/${path}`);
	return found.filter((path) => !path.startsWith('/workspace/in/'));
}

it.each<[string, TarMember[]]>([
	['a name that climbs out', [member('../out.txt')]],
	['a directory below a link', [link('d', '/home/user'), member('d/new/deep/', { kind: 'directory' })]],
	['a file below a link', [link('d', '/home/user'), member('d/.bashrc')]],
	['a file deep below a link', [link('d', '/home/user'), member('d/a/b/.bashrc')]],
	['a link in a link', [link('d', '/home/user'), link('d/l', '/')]],
	['a hard link that climbs out', [hard('h', '../../home/user/mine.txt')]],
	['a hard link through a link', [link('d', '/home/user'), hard('h', 'd/mine.txt')]]
])('tar unpacks %s nowhere outside', async (_, members) => {
	await sandbox?.writeFile('/workspace/evil.tar', writeTar(members));
	const before = await outside();
	const result = await sandbox?.exec('cd in && tar xf ../evil.tar');
	expect(result?.exitCode).toBe(2);
	expect(await outside()).toEqual(before);
	expect(await sandbox?.readFile('/home/user/mine.txt')).toBe('mine');
	expect(await sandbox?.fileExists('/workspace/in/h')).toBe(false);
});

it('tar unpacks an absolute name below the directory, as GNU tar does', async () => {
	await sandbox?.writeFile(
		'/workspace/a.tar',
		writeTar([member('/home/user/.bashrc'), hard('/h', '/home/user/.bashrc')])
	);
	const before = await outside();
	expect((await sandbox?.exec('cd in && tar xf ../a.tar && cat home/user/.bashrc h'))?.stdout).toBe('hostilehostile');
	expect(await outside()).toEqual(before);
});

/** A zip whose members are files, or links if the text starts with `->`. */
function zipOf(members: [name: string, text: string][]): Uint8Array {
	return zipSync(
		Object.fromEntries(
			members.map(([name, text]) => {
				const isLink = text.startsWith('->');
				const bytes = encoder.encode(isLink ? text.slice(2) : text);
				return [name, [bytes, { os: 3, attrs: (isLink ? 0o120777 : 0o100644) << 16 }]];
			})
		)
	);
}

it.each<[string, [string, string][], number]>([
	['a name that climbs out', [['../out.txt', 'hostile']], 1],
	[
		'a file below a link',
		[
			['d', '->/home/user'],
			['d/.bashrc', 'hostile']
		],
		2
	],
	[
		'a directory below a link',
		[
			['d', '->/home/user'],
			['d/new/', '']
		],
		2
	]
])('unzip unpacks %s nowhere outside', async (_, members, code) => {
	await sandbox?.writeFile('/workspace/evil.zip', zipOf(members));
	const before = await outside();
	const result = await sandbox?.exec('cd in && unzip -o -q ../evil.zip');
	expect(await outside()).toEqual(before);
	expect(result?.exitCode).toBe(code);
});

it('unzip writes through no link that is there already, whether in the place of a file or of a folder', async () => {
	await sandbox?.symlink('/home/user', '/workspace/in/d');
	await sandbox?.symlink('/home/user/mine.txt', '/workspace/in/f');
	await sandbox?.writeFile(
		'/workspace/evil.zip',
		zipOf([
			['d/.bashrc', 'hostile'],
			['f', 'theirs']
		])
	);
	const before = await outside();
	await sandbox?.exec('cd in && unzip -o -q ../evil.zip');
	expect(await outside()).toEqual(before);
	expect(await sandbox?.readFile('/home/user/mine.txt')).toBe('mine');
	expect(await sandbox?.readFile('/workspace/in/f')).toBe('theirs');
});

it('unzip still makes the links of an archive', async () => {
	await sandbox?.writeFile(
		'/workspace/a.zip',
		zipOf([
			['l', '->a.txt'],
			['a.txt', 'text']
		])
	);
	expect(await sandbox?.exec('cd in && unzip -q ../a.zip && cat l && readlink l')).toMatchObject({
		stdout: 'texta.txt\n'
	});
});
