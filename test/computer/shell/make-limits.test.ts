import { expect, it } from 'vitest';
import { ShellInMemory } from './in-memory.ts';

/** Makefiles that GNU make itself does not handle well. */
it('ends a makefile that calls a variable by itself without end, with its line', async () => {
	const shell = new ShellInMemory();
	const { stdout, stderr, code } = await shell.run(`printf '\\nf = $(call f)\\n$(call f)\\nall:;\\n' >m; make -f m`);
	expect({ stdout: stdout.toString(), stderr, code }).toEqual({
		stdout: '',
		stderr: "m:2: *** Recursive variable 'f' references itself (eventually).  Stop.\n",
		code: 2
	});
});

it('ends when a makefile changes each time that it is remade', async () => {
	const shell = new ShellInMemory();
	const { stderr, code } = await shell.run(
		`printf 'include part\\nall:;\\npart: missing\\n\\t@touch -d @$(words $(MAKE_RESTARTS) x)$(MAKE_RESTARTS)0 part\\nmissing:;\\n' >m; make -f m`
	);
	expect(stderr).toBe('make: *** The makefiles change each time they are remade.  Stop.\n');
	expect(code).toBe(2);
});

it('ends a makefile that includes itself, and names the line', async () => {
	const shell = new ShellInMemory();
	const { stderr, code } = await shell.run(`echo 'include m' >m; make -f m`);
	expect(stderr).toBe('m:1: *** m: Too many open files.  Stop.\n');
	expect(code).toBe(2);
});
