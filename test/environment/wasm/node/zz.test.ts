import { it } from 'vitest';
import { readFileSync, symlinkSync } from 'node:fs';
import { bundledNode } from './host/bundle.ts';
it('x', async () => {
	const pair = await bundledNode();
	symlinkSync('/work/main/node_modules', pair.directory + '/node_modules');
	const lists = JSON.parse(readFileSync('/tmp/zz.json', 'utf8')) as (string | string[])[];
	for (const f of lists) {
		let args = ['main.js'];
		if (typeof f === 'string') pair.write({ 'main.js': readFileSync(f, 'utf8') });
		else args = f;
		const a = pair.ours(args);
		const b = pair.native(args);
		const same = a.stdout === b.stdout && a.code === b.code;
		console.log(f, same ? 'SAME' : 'DIFF');
		if (!same) console.log('OURS', a.code, a.stdout, a.stderr, '\nNATIVE', b.code, b.stdout, b.stderr);
	}
}, 120000);
