import { readdir } from 'node:fs/promises';
import path from 'node:path';

/**
 * Lists the files below a folder of a suite, relative to the suite, folder by folder.
 *
 * @param isLeftOut tells by a folder's name whether it is skipped
 */
export async function* filesBelow(
	suite: string,
	folder: string,
	isLeftOut: (name: string) => boolean = () => false
): AsyncGenerator<string> {
	for (const entry of await readdir(path.join(suite, folder), { withFileTypes: true })) {
		const name = `${folder}/${entry.name}`;
		if (entry.isDirectory() && !isLeftOut(name)) yield* filesBelow(suite, name, isLeftOut);
		if (entry.isFile()) yield name;
	}
}
