/** Versions of the computer's programs, as they report them. */
export const NODE_VERSION = 'v22.23.5';
export const NPM_VERSION = '11.19.1';
export const PYTHON_VERSION = '3.14.2';
