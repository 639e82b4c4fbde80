import type { ExecutionEnvironment } from '../../environment/contract.ts';

const LFS = 'version https://git-lfs.github.com/spec/v1';

/** What an import lacks compared with a clone on a machine, each a sentence. */
export async function importNotices(environment: ExecutionEnvironment): Promise<string[]> {
	const notices: string[] = [];
	if (await environment.fileExists('.gitmodules')) {
		const text = await environment.readFile('.gitmodules');
		const paths = [...text.matchAll(/^\s*path\s*=\s*(.+)$/gm)].map((match) => match[1]?.trim());
		notices.push(`Submodules are not imported: ${paths.join(', ')}.`);
	}
	const attributes = (await environment.fileExists('.gitattributes'))
		? await environment.readFile('.gitattributes')
		: '';
	if (/filter=lfs/.test(attributes)) {
		const pointers = await environment.grep(LFS, '.', { literal: true, output: 'files' });
		const count = pointers.split('\n').filter((line) => line !== '').length;
		if (count > 0)
			notices.push(
				`${count} ${count === 1 ? 'file is' : 'files are'} kept in Git LFS; only the pointers were imported.`
			);
	}
	return notices;
}
