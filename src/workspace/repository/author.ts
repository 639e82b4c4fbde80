/** Author of commits. */
export interface Author {
	name: string;
	email: string;
}

/** Environment variables that set git's author and committer; none if git's settings apply. */
export const authorVariables = (author: Author | undefined): Record<string, string> =>
	author
		? {
				GIT_AUTHOR_NAME: author.name,
				GIT_AUTHOR_EMAIL: author.email,
				GIT_COMMITTER_NAME: author.name,
				GIT_COMMITTER_EMAIL: author.email
			}
		: {};
