import { readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { operations } from './files.mjs';
import { listen, tell } from './frames.mjs';

/** A longer answer is sent through a file, since a terminal is slow. */
const MAX_LINE = 16_384;

/** Answers the page's questions about files until the process is ended. */
listen((text) => {
	void answer(text);
});

async function answer(text) {
	let id = 0;
	try {
		const request = JSON.parse(text.startsWith('@') ? await takeFile(text.slice(1)) : text);
		id = request.id;
		const value = (await operations[request.op](request)) ?? null;
		const long = JSON.stringify(value);
		if (long.length <= MAX_LINE) tell({ id, value });
		else {
			await writeFile(request.spare, long);
			tell({ id, file: true });
		}
	} catch (error) {
		tell({ id, error: { code: error?.code ?? '', message: String(error?.message ?? error) } });
	}
}

async function takeFile(path) {
	const text = await readFile(path, 'utf8');
	await rm(path);
	return text;
}

tell({ ready: { node: process.version, directory: await realpath(process.cwd()) } });
