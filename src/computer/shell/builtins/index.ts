import type { BuiltIn } from '../state/host.ts';
import { commandBuiltins } from './commands.ts';
import { completionBuiltins } from './completion.ts';
import { directoryBuiltins } from './directories.ts';
import { directoryStackBuiltins } from './directory-stack.ts';
import { enable } from './enable.ts';
import { flowBuiltins } from './flow.ts';
import { helpBuiltins } from './help.ts';
import { historyBuiltins } from './history.ts';
import { inputBuiltins } from './input.ts';
import { jobBuiltins } from './job-control.ts';
import { outputBuiltins } from './output.ts';
import { settingBuiltins } from './settings.ts';
import { testBuiltins } from './test.ts';
import { DECLARATIONS, declareWithArrays } from './declare.ts';

/** Declarations invoked through `command`, `builtin` or a variable, whose words are already expanded. */
const declarations: Record<string, BuiltIn> = Object.fromEntries(
	[...DECLARATIONS].map((name): [string, BuiltIn] => [
		name,
		({ shell, args }) =>
			declareWithArrays(
				shell,
				name,
				args.map((value) => ({ type: 'Word', parts: [{ type: 'SingleQuoted', value }] }))
			)
	])
);

/** All builtins of the shell by name. */
export const builtins: ReadonlyMap<string, BuiltIn> = new Map(
	Object.entries({
		...flowBuiltins,
		...directoryBuiltins,
		...directoryStackBuiltins,
		...outputBuiltins,
		...testBuiltins,
		...inputBuiltins,
		...settingBuiltins,
		...commandBuiltins,
		...completionBuiltins,
		...helpBuiltins,
		...historyBuiltins,
		...jobBuiltins,
		...declarations,
		enable
	})
);
