import { it } from 'vitest';
import { make } from './make.ts';
it('p', async () => {
	const m = await make.load('.cache/conformance/make'); console.log(m.cases.length, m.version, m.cases[20], Object.keys(m.files).length);
}, 600000);
