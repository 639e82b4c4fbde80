/** Said where a commit would be replaced by one without changes. */
export const EMPTY_AMEND = `You asked to amend the most recent commit, but doing so would make
it empty. You can repeat your command with --allow-empty, or you can
remove the commit entirely with "git reset HEAD^".
`;
