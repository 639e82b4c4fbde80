import { basePrompt } from './sections.ts';

/** Base prompt for models whose native tools are unknown. */
export const piPrompt = basePrompt(`
- Look at files with read, not with cat; follow the notices that say how to read on.
- Change files with edit. Each oldText must be the file's text exactly and occur once: take lines around it until it is unique. Several changes to one file go into one call.
- Use write only for new files and for rewriting a file as a whole.
- Find files with find and ls, and text with grep, which leave out what .gitignore names.
- Run programs, tests and git with bash. Give a timeout in seconds for long commands. Of a long output you see the end; the notice names the file that holds the whole.
`);
