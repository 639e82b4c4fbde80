import type { Command } from '../invocation.ts';
import { add } from './add.ts';
import { branch } from './branch.ts';
import { catFile } from './cat-file.ts';
import { clone } from './clone.ts';
import { commit } from './commit.ts';
import { config } from './config.ts';
import { diff } from './diff.ts';
import { fetch } from './fetch.ts';
import { init } from './init.ts';
import { log } from './log.ts';
import { lsFiles } from './ls-files.ts';
import { merge } from './merge.ts';
import { mv } from './mv.ts';
import { pull } from './pull.ts';
import { push } from './push.ts';
import { remote } from './remote.ts';
import { reset } from './reset.ts';
import { restore } from './restore.ts';
import { revParse } from './rev-parse.ts';
import { rm } from './rm.ts';
import { show } from './show.ts';
import { stash } from './stash.ts';
import { status } from './status.ts';
import { checkout, switchBranch } from './switch.ts';
import { tag } from './tag.ts';

/** Every subcommand, by the name it is called with. One line a command. */
export const commands: Record<string, Command> = {
	add,
	branch,
	'cat-file': catFile,
	checkout,
	clone,
	commit,
	config,
	diff,
	fetch,
	init,
	log,
	'ls-files': lsFiles,
	merge,
	mv,
	pull,
	push,
	remote,
	reset,
	restore,
	'rev-parse': revParse,
	rm,
	show,
	stage: add,
	stash,
	status,
	switch: switchBranch,
	tag
};
