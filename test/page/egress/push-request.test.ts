import { describe, expect, it } from 'vitest';
import { mayBePush, parseGitCall } from '#page/egress/git-call.ts';
import { parsePush } from '#page/egress/push-request.ts';

const [A, B, ZERO] = ['a'.repeat(40), 'b'.repeat(40), '0'.repeat(40)];
const packet = (line: string): string =>
	(new TextEncoder().encode(line).length + 4).toString(16).padStart(4, '0') + line;
const body = (...lines: string[]): Uint8Array =>
	new TextEncoder().encode(`${lines.map(packet).join('')}0000PACK and so on`);

describe('what a push changes', () => {
	it('is read with new, moved and deleted branches, whatever they are called', () => {
		expect(
			parsePush(
				body(
					`shallow ${A}`,
					`${A} ${B} refs/heads/main\0 report-status side-band-64k agent=git/2\n`,
					`${ZERO} ${B} refs/heads/größe`,
					`${A} ${ZERO} refs/tags/v1`
				)
			)
		).toEqual([
			{ ref: 'refs/heads/main', before: A, after: B },
			{ ref: 'refs/heads/größe', before: null, after: B },
			{ ref: 'refs/tags/v1', before: A, after: null }
		]);
		const sha256 = ['c'.repeat(64), 'd'.repeat(64)];
		expect(parsePush(body(`${sha256.join(' ')} refs/heads/x\0`))[0]?.after).toBe(sha256[1]);
	});

	it.each<[string, Uint8Array]>([
		['nothing', body()],
		['an empty body', new Uint8Array()],
		['no flush packet', body(`${A} ${B} refs/heads/x\0`).subarray(0, 90)],
		['a length that reaches past the end', new TextEncoder().encode(`ffff${A} ${B} refs/heads/x\0`)],
		['a length that is none', new TextEncoder().encode('zzzz')],
		['a delimiter packet', new TextEncoder().encode('00010000')],
		['push options', body(`${A} ${B} refs/heads/x\0report-status push-options`)],
		['a signed push', body(`push-cert\0report-status`)],
		['a second name behind a zero byte', body(`${A} ${B} refs/heads/x\0`, `${A} ${B} refs/heads/y\0refs/heads/main`)],
		['one branch twice', body(`${A} ${B} refs/heads/x\0`, `${B} ${A} refs/heads/x`)],
		['ids in capitals', body(`${A.toUpperCase()} ${B} refs/heads/x\0`)],
		['a name that is no UTF-8', Uint8Array.from([...body(`${A} ${B} x`)].map((byte) => (byte === 0x78 ? 0xff : byte)))]
	])('is not guessed from %s', (_what, bytes) => {
		expect(() => parsePush(bytes)).toThrow(/push/);
	});
});

describe('a git call', () => {
	const parse = (method: string, url: string) => parseGitCall(method, new URL(url));

	it('names the repository to the letter, and what it may do there', () => {
		const repository = 'https://h.example/o/r.git';
		expect(parse('GET', `${repository}/info/refs?service=git-upload-pack`)).toEqual({
			repository,
			access: 'read',
			step: 'refs'
		});
		expect(parse('GET', `${repository}/info/refs?service=git-receive-pack`)).toEqual({
			repository,
			access: 'push',
			step: 'refs'
		});
		expect(parse('POST', `${repository}/git-upload-pack`)).toEqual({ repository, access: 'read', step: 'pack' });
		expect(parse('POST', `${repository}/git-receive-pack`)).toEqual({ repository, access: 'push', step: 'pack' });
		expect(parse('GET', 'https://h.example/o/r.git/../x/info/refs?service=git-upload-pack')?.repository).toBe(
			'https://h.example/o/x'
		);
		for (const other of ['o/R.git', 'o/r', 'O/r.git', 'o/r.git.git', 'o/%72.git'])
			expect(parse('POST', `https://h.example/${other}/git-upload-pack`)?.repository).not.toBe(repository);
	});

	it.each([
		['GET', 'o/r.git/info/refs'],
		['GET', 'o/r.git/info/refs?service=git-upload-pack&service=git-receive-pack'],
		['GET', 'o/r.git/info/refs?service=git-receive-pack%00'],
		['GET', 'o/r.git/info/refs?x=1&service=git-upload-pack'],
		['POST', 'o/r.git/info/refs?service=git-upload-pack'],
		['GET', 'o/r.git/git-upload-pack'],
		['POST', 'o/r.git/git-upload-pack?x'],
		['POST', 'o/r.git/..%2fother.git/git-upload-pack'],
		['POST', 'o/r.git/%2e.%2Fother.git/git-upload-pack'],
		['POST', 'o/r.git/..%5cother.git/git-upload-pack'],
		['POST', 'o//r.git/git-upload-pack'],
		['POST', 'o/r.git%00/git-upload-pack'],
		['POST', 'o/r.git/git%2Dupload-pack'],
		['POST', 'git-upload-pack'],
		['POST', 'o/r.git/objects/info/packs']
	])('is none in any other spelling: %s %s', (method, path) => {
		expect(parse(method, `https://h.example/${path}`)).toBeNull();
	});

	it('that may push is known by the host’s reading of the path too', () => {
		for (const path of [
			'git-receive-pack',
			'git%2Dreceive-pack',
			'GIT-receive-pack',
			'git-receive-pack/',
			'git-receive-pack%20'
		])
			expect(mayBePush('POST', new URL(`https://h.example/o/r.git/${path}`)), path).toBe(true);
		expect(mayBePush('GET', new URL('https://h.example/o/r.git/git-receive-pack'))).toBe(false);
		expect(mayBePush('POST', new URL('https://h.example/o/r.git/git-upload-pack'))).toBe(false);
	});
});
