/** Syntax of statements at a prompt, by a parser that is loaded on first use. */
export { dynamicImport } from './dynamic-import.ts';
export { excerpt } from './excerpt.ts';
export { isIncomplete, isValidSyntax } from './completeness.ts';
export { withTopLevelAwait, type Awaiting } from './top-level-await.ts';
