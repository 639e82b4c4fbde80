import { describe, expect, it } from 'vitest';
import { SyscallError } from '#computer/abi/client.ts';
import { ShellInMemory } from './in-memory.ts';

async function answer(script: string): Promise<string> {
	const { stdout } = await new ShellInMemory().run(`exec 2>&1\n${script}`);
	return stdout.toString('utf8');
}

describe('a second file system at /dev/shm', () => {
	it('has a number, names and room of its own', async () => {
		expect(await answer('stat -c "%d %m" . /dev/shm; df --output=source,target . /dev/shm; cat /proc/mounts')).toBe(
			'1 /\n2 /dev/shm\nFilesystem     Mounted on\nsandglass      /\nshm            /dev/shm\n' +
				'sandglass / tmpfs rw 0 0\nshm /dev/shm tmpfs rw 0 0\n'
		);
		const sums = 'echo 12 >/dev/shm/a; ln /dev/shm/a /dev/shm/b; df -B1 --output=iused,used /dev/shm; df --total -i';
		expect(await answer(sums)).toMatch(/^IUsed  Used\n {4}3 {5}3\n.*\ntotal +2097152 /s);
	});

	it('cannot be linked or renamed into, as Linux says', async () => {
		const { files } = new ShellInMemory();
		files.writeFile('/workspace/a', new Uint8Array(1));
		const codeOf = (call: () => void) => {
			try {
				call();
			} catch (error) {
				return error instanceof SyscallError ? error.code : error;
			}
			return 'none';
		};
		expect(codeOf(() => files.rename('/workspace/a', '/dev/shm/a'))).toBe('EXDEV');
		expect(codeOf(() => files.link('/workspace/a', '/dev/shm/a'))).toBe('EXDEV');
		files.writeFile('/dev/shm/b', new Uint8Array(1));
		expect(codeOf(() => files.rename('/dev/shm/b', '/dev/shm/c'))).toBe('none');
		expect(files.stat('/dev/shm/c').device).not.toBe(files.stat('/workspace/a').device);
		expect(codeOf(() => files.remove('/dev/shm', { recursive: true }))).toBe('EACCES');
	});

	it('gets what mv copies and removes, with modes, links and pipes', async () => {
		const script =
			'mkdir d; mkfifo d/p; echo x >d/f; ln d/f d/g; chmod 741 d/f; mv -v d /dev/shm | sort; ls d; ' +
			'stat -c "%F %a %h %n" /dev/shm/d/*; test /dev/shm/d/f -ef /dev/shm/d/g && echo one file';
		expect(await answer(script)).toBe(
			"copied 'd/f' -> '/dev/shm/d/f'\ncopied 'd/g' -> '/dev/shm/d/g'\ncopied 'd/p' -> '/dev/shm/d/p'\n" +
				"created directory '/dev/shm/d'\nremoved 'd/f'\nremoved 'd/g'\nremoved 'd/p'\nremoved directory 'd'\n" +
				"ls: cannot access 'd': No such file or directory\n" +
				'regular file 741 2 /dev/shm/d/f\nregular file 741 2 /dev/shm/d/g\nfifo 644 1 /dev/shm/d/p\none file\n'
		);
	});

	it('keeps what mv cannot replace there', async () => {
		expect(await answer('mkdir e; mkdir -p /dev/shm/e/x; mv -T e /dev/shm/e; ls -d e')).toBe(
			"mv: inter-device move failed: 'e' to '/dev/shm/e'; unable to remove target: Directory not empty\ne\n"
		);
		expect(await answer('echo >k; touch /dev/shm/k; chmod a-w /dev/shm; mv -f k /dev/shm; ls k')).toBe(
			"mv: inter-device move failed: 'k' to '/dev/shm/k'; unable to remove target: Permission denied\nk\n"
		);
	});

	it('is where find, du and cp stop when they are told to', async () => {
		const files = 'mkdir -p /dev/shm/in; ';
		expect(await answer(`${files}find /dev -xdev -type d; find /dev/shm -fstype tmpfs | wc -l`)).toBe(
			'/dev\n/dev/shm\n2\n'
		);
		expect(await answer(`${files}ln -s /dev/shm l; mkdir d; mv l d; du -xL d; du -L d`)).toBe(
			'4\td\n4\td/l/in\n8\td/l\n12\td\n'
		);
		expect(await answer(`${files}cp -rx /dev copy; find copy -type d`)).toBe('copy\ncopy/shm\n');
	});

	it('cannot share contents: a clone is refused, and made by copying where that is allowed', async () => {
		expect(await answer('echo a >/dev/shm/a; cp --reflink /dev/shm/a b; cp --reflink a c; wc -c b')).toBe(
			"cp: failed to clone 'b' from '/dev/shm/a': Invalid cross-device link\n" +
				"cp: cannot stat 'a': No such file or directory\n0 b\n"
		);
		expect(await answer('echo a >/dev/shm/a; cp --reflink=auto /dev/shm/a b; cat b')).toBe('a\n');
	});
});

it('shows the kind of what ls cannot look at', async () => {
	expect(await answer('mkdir d; ln -s / d/s; mkfifo d/p; chmod 600 d; ls -Log d')).toBe(
		"ls: cannot access 'd/s': Permission denied\nls: cannot access 'd/p': Permission denied\n" +
			'total 0\np????????? ? ?            ? p\nl????????? ? ?            ? s\n'
	);
});
