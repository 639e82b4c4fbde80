const NARROW = '(max-width: 700px)';

/** Media query that notifies when the page becomes too narrow for more than one surface, or wide again. */
export const narrowMedia = (): MediaQueryList => matchMedia(NARROW);

/** Returns true if the page has room for one surface only. */
export const isNarrow = (): boolean => narrowMedia().matches;
