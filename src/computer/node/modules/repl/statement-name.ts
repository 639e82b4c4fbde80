let statements = 0;

/** Name of the next statement in stacks. */
export const statementName = (): string => `REPL${++statements}`;
