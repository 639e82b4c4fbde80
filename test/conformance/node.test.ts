import { expect, it } from 'vitest';
import { caseOf } from './node.ts';

it('runs a file with its own options, and none that asks for the insides of the engine', () => {
	expect(caseOf('test-fs-read.js', "'use strict';\n// Flags: --no-warnings\n", 4)).toEqual({
		name: 'test-fs-read.js',
		group: 'fs',
		script: 'NODE_TEST_DIR="$TMP" exec node --no-warnings "$SUITE_ROOT/test/parallel/test-fs-read.js"',
		env: { NODE_COMMON_PORT: '12350' }
	});
	expect(caseOf('test-string-decoder-end.js', '', 0)).toMatchObject({ group: 'string-decoder' });
	expect(caseOf('test-inspector.js', '', 0)).toBeNull();
	expect(caseOf('test-util.js', '// Flags: --expose-internals --no-warnings\n', 0)).toBeNull();
});
