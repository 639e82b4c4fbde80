import { utility } from '../options.ts';

const HOME_AND_ERASE = '\u001b[H\u001b[2J';
const ERASE_SCROLLED = '\u001b[3J';

/** `clear`: clears the terminal, and its scrollback unless `-x` is given. */
export const clear = utility('x T= V', async (call, options) => {
	await call.out(options.has('x') ? HOME_AND_ERASE : HOME_AND_ERASE + ERASE_SCROLLED);
	return 0;
});
