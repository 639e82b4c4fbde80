import { expect, it } from 'vitest';
import { UTILITIES } from '#computer/abi/utilities.ts';
import { builtins } from '#computer/shell/builtins/index.ts';
import { utilities } from '#computer/coreutils/index.ts';

it('has each utility of the shell among the commands of the kernel, and no others', () => {
	const alsoBuiltins = ['test', '[', 'kill'];
	expect([...builtins.keys()]).toEqual(expect.arrayContaining(alsoBuiltins));
	expect([...UTILITIES].sort()).toEqual([...new Set([...utilities.keys(), ...alsoBuiltins])].sort());
});
