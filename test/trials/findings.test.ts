import { expect, it } from 'vitest';
import { findingsOf } from './findings.ts';

const HASH = '3978e7cc5b30195a113906a8a45a2344a99963808841be105899bd4df6a5b514';

it('reads what tests, linters, compilers and builds found, whatever colors they print', () => {
	expect(findingsOf('\u001b[32m  12 passing\u001b[0m\n  1 failing\n', 1)).toMatchObject({ passed: 12, failed: 1 });
	expect(findingsOf('src/b.ts(3,29): error TS2349: No.\nsrc/a.ts(1,1): error TS1: No.\n', 2).problems).toEqual([
		'src/a.ts(1,1): error TS1',
		'src/b.ts(3,29): error TS2349'
	]);
	expect(findingsOf('/tmp/a.js\n  3:1   warning  Missing   semi\n\n1 problem', 0).problems).toEqual([
		'3:1 warning Missing semi'
	]);
	expect(findingsOf(`> build\n${HASH}  dist/b.js\n${HASH} *dist/a.js\n`, 0)).toEqual({
		exitCode: 0,
		passed: null,
		failed: 0,
		problems: [],
		built: [`${HASH} *dist/a.js`, `${HASH}  dist/b.js`].toSorted()
	});
});
