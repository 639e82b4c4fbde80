import { afterAll, expect, it, onTestFinished } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { EnvironmentError, type ErrorCode } from '#environment/errors.ts';
import { removeIfThere } from '#workspace/remove-if-there.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';

afterAll(removeTemporary);

it('removes files, folders and links to nowhere, and nothing where there is nothing', async () => {
	const environment = await createTemporary();
	onTestFinished(() => environment.cleanup());
	await environment.exec('mkdir -p folder/deep && touch file folder/deep/x kept && ln -s nowhere link');
	for (const path of ['file', 'folder', 'link', 'none', 'none/below', 'kept/below'])
		await removeIfThere(environment, path);
	expect((await environment.exec('ls -A')).stdout).toBe('kept\n');
});

it('rejects where there may be something', async () => {
	const failing = (error: Error) => ({ remove: () => Promise.reject(error) }) as unknown as ExecutionEnvironment;
	for (const code of ['EACCES', 'ECLOSED'] satisfies ErrorCode[]) {
		const error = new EnvironmentError(code, 'It did not work.');
		await expect(removeIfThere(failing(error), 'a')).rejects.toBe(error);
	}
	const other = Object.assign(new Error('no error of an environment'), { code: 'ENOENT' });
	await expect(removeIfThere(failing(other), 'a')).rejects.toBe(other);
	for (const code of ['ENOENT', 'ENOTDIR'] satisfies ErrorCode[])
		await removeIfThere(failing(new EnvironmentError(code, 'It is not there.')), 'a');
});
