import { describe, expect, it } from 'vitest';
import { readSourceMap } from '#page/preview/source-map.ts';
import { placeOf } from '#page/preview/stack.ts';

/** Output of esbuild for two files; the second starts in line 5 of the output. */
const MAP = JSON.stringify({
	version: 3,
	sources: ['add.js', 'main.js'],
	mappings: ';AAAO,IAAM,IAAI;;;ACCjB,QAAQ,IAAI,OAAO,EAAE,EAAE,CAAC;AACxB,WAAW,MAAM;AAChB,iBAAe,KAAK;AACrB,CAAC;'
});

describe('a source map', () => {
	const find = readSourceMap(MAP);
	it('names the file, line and column of the source', () => {
		expect(find(2, 1)).toEqual({ file: 'add.js', line: 1, column: 8 });
		expect(find(2, 5)).toEqual({ file: 'add.js', line: 1, column: 14 });
		expect(find(5, 9)).toEqual({ file: 'main.js', line: 2, column: 9 });
		expect(find(7, 3)).toEqual({ file: 'main.js', line: 4, column: 2 });
	});

	it('has nothing for lines without a source, and refuses what is no map', () => {
		expect(find(1, 1)).toBeNull();
		expect(find(99, 1)).toBeNull();
		expect(() => readSourceMap('{}')).toThrow();
	});
});

describe('the place of a stack', () => {
	const find = (script: string, line: number, column: number) =>
		script === 'app.js' ? { file: 'src/app.js', line, column } : null;
	it('is its topmost line in the project, in the writing of each engine', () => {
		const chromium =
			'ReferenceError: x\n    at l (sandglass-preview.js:1:9)\n    at boom (app.js:3:7)\n    at app.js:9:1';
		const firefox = 'l@sandglass-preview.js:1:9\nboom@app.js:3:7\n@app.js:9:1\n';
		expect(placeOf(chromium, find)).toEqual({ file: 'src/app.js', line: 3, column: 7 });
		expect(placeOf(firefox, find)).toEqual({ file: 'src/app.js', line: 3, column: 7 });
		expect(placeOf('at elsewhere.js:1:1', find)).toBeNull();
		expect(placeOf('', find)).toBeNull();
	});
});
