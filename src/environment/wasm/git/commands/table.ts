import type { Command } from '../invocation.ts';
import { add } from './add.ts';
import { commit } from './commit.ts';
import { diff } from './diff.ts';
import { init } from './init.ts';
import { log } from './log.ts';
import { revParse } from './rev-parse.ts';
import { show } from './show.ts';
import { status } from './status.ts';

/** Every subcommand, by the name it is called with. One line a command. */
export const commands: Record<string, Command> = {
	add,
	commit,
	diff,
	init,
	log,
	'rev-parse': revParse,
	show,
	stage: add,
	status
};
