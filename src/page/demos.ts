/** Scripts of the demo: fixing the sample project's tests, and building a page from a template. */
export type Demo = 'sample' | 'page';

/** Project that the script `sample` works on. */
export const DEMO_PROJECT = 'slugify';

/** Name of the template that the script `page` starts from. */
export const DEMO_TEMPLATE = 'vanilla-ts';
