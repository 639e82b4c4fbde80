import { describe, expect, it } from 'vitest';
import { AfterMark } from '#environment/prefix/after-mark.ts';
import { requirePlace, toEntries, toEntry } from '#environment/prefix/answers.ts';
import { MarkedStream } from '#environment/prefix/marked-stream.ts';

const TIMES = '2026-01-01 00:00:00.000000000 +0000/2026-01-01 00:00:00.000000000 +0000';
const bytes = (text: string): Buffer => Buffer.from(text);

describe('answers of tools that may lie', () => {
	it.each(['-1', '1e9', '9'.repeat(16), '9'.repeat(1_000), ''])('have no size %s', (size) => {
		expect(() => toEntry(`81a4 ${size} 7 ${TIMES}`)).toThrow('invalid answer');
		expect(toEntry(`81a4 12 7 ${TIMES}`)?.entry.size).toBe(12);
	});

	it.each(['/etc/passwd', '/workspace/../x', '/workspace//x', '/workspace/./x', '/workspacex', 'x', '/workspace/'])(
		'list no path %s below a directory',
		(path) => {
			expect(() => toEntries(`81a4 1 7 ${TIMES} ${path}`, '/workspace')).toThrow('invalid answer');
			expect([...toEntries(`81a4 1 7 ${TIMES} /workspace/a b/..c`, '/workspace').keys()]).toEqual(['a b/..c']);
		}
	);

	it.each(['', 'etc', '/etc', '/workspace/../etc', '/workspaces', `/workspace/${'x'.repeat(10_000)}`])(
		'name no place %s outside of the roots',
		(place) => {
			expect(() => requirePlace(place, ['/workspace', '/tmp'])).toThrow('invalid answer');
			expect(requirePlace('/workspace/a', ['/workspace', '/tmp'])).toBe('/workspace/a');
		}
	);

	it('are not held back without a limit where no mark comes', () => {
		const filter = new AfterMark('the mark');
		let passed = 0;
		for (let chunk = 0; chunk < 100; chunk++) passed += filter.add(bytes('x'.repeat(1_000))).length;
		expect(passed).toBe(100_000);
	});

	it('are not held back without a limit where the line behind a mark never ends', () => {
		let text = '';
		const lines: string[] = [];
		const stream = new MarkedStream(
			'MARK',
			(data) => (text += data),
			(line) => lines.push(line) > 5
		);
		stream.add(bytes('before MARK pid 7\n'));
		stream.add(bytes('MARK'));
		for (let chunk = 0; chunk < 10; chunk++) stream.add(bytes('x'.repeat(500)));
		expect(text).toBe(`before MARK${'x'.repeat(5_000)}`);
		expect(lines).toEqual(['pid 7']);
	});
});
