import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readRunner } from '#server/page/runner.ts';

function built(headers: string, html = '<p>frame'): string {
	const folder = mkdtempSync(path.join(tmpdir(), 'sandglass-runner-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	writeFileSync(path.join(folder, 'runner.html'), html);
	writeFileSync(path.join(folder, 'runner-headers.json'), headers);
	return folder;
}

it('reads the sandbox frame with its headers, and its build where it has one', async () => {
	expect(await readRunner(built('{"build":"b1","headers":{"X-A":"1"}}'))).toEqual({
		html: '<p>frame',
		headers: { 'x-a': '1' },
		build: 'b1'
	});
	expect(await readRunner(built('{"headers":{"x-a":"1"}}'))).toEqual({ html: '<p>frame', headers: { 'x-a': '1' } });
	expect(await readRunner(built('{"X-A":"1"}'))).toEqual({ html: '<p>frame', headers: { 'x-a': '1' } });
});

it.each(['no JSON', '{"x-a":1}', '[]', '"x"'])('says what to do about the headers %s', async (headers) => {
	const folder = built(headers);
	await expect(readRunner(folder)).rejects.toMatchObject({
		message: `The sandbox frame is missing from the built page in ${folder} (runner.html, runner-headers.json). Run npm run build.`,
		cause: expect.anything()
	});
});
