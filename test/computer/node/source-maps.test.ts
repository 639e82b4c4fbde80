import { beforeAll, expect, it } from 'vitest';
import { bundledNode, type Pair } from './host/bundle.ts';

let pair: Pair;
beforeAll(async () => {
	pair = await bundledNode();
}, 60_000);

const map = JSON.stringify({ version: 3, sources: ['../src/a.ts'], names: [], mappings: 'AAAA;AAEA;IACI' });
const generated = '"use strict";\nfunction f() {\n    throw new Error("mapped");\n}\nf();\n';

it('names the file a person wrote, by a source map beside the file or in it', () => {
	pair.write({
		'src/a.ts': '// one\n// two\nexport function f(): never {\n    throw new Error("mapped");\n}\n',
		'dist/beside.js': `${generated}//# sourceMappingURL=a.js.map\n`,
		'dist/a.js.map': map,
		'dist/inside.js': `${generated}//# sourceMappingURL=data:application/json;base64,${btoa(map)}`
	});
	for (const file of ['dist/beside.js', 'dist/inside.js']) {
		const { stderr, code } = pair.ours([file]);
		expect(code).toBe(1);
		expect(stderr).toContain(`${pair.directory}/src/a.ts:4\n    throw new Error("mapped");\n    ^\n`);
		expect(stderr).toContain(`at f (${pair.directory}/src/a.ts:4:5)`);
	}
});

it('names the generated file where the map is broken or missing', () => {
	pair.write({
		'dist/broken.js': `${generated}//# sourceMappingURL=data:application/json,nonsense`,
		'dist/lost.js': `${generated}//# sourceMappingURL=lost.js.map`
	});
	expect(pair.ours(['dist/broken.js']).stderr).toContain(`at f (${pair.directory}/dist/broken.js:3:11)`);
	expect(pair.ours(['dist/lost.js']).stderr).toContain(`at f (${pair.directory}/dist/lost.js:3:11)`);
});

it('keeps the lines of TypeScript and TSX', () => {
	pair.write({
		'view.tsx':
			'interface A {\n\ta: string;\n}\nconst f = (a: A): string => {\n\tthrow new RangeError(a.a);\n};\nf({ a: "x" });\n'
	});
	expect(pair.ours(['view.tsx']).stderr).toMatch(
		/view\.tsx:5\n\tthrow new RangeError\(a\.a\);\n\t\^\n\nRangeError: x\n.*view\.tsx:5:8/
	);
});
