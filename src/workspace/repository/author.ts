/** Author of commits. */
export interface Author {
	name: string;
	email: string;
}

/** Variables by which git takes an author, who is the committer too; none where its settings decide. */
export const authorVariables = (author: Author | undefined): Record<string, string> =>
	author
		? {
				GIT_AUTHOR_NAME: author.name,
				GIT_AUTHOR_EMAIL: author.email,
				GIT_COMMITTER_NAME: author.name,
				GIT_COMMITTER_EMAIL: author.email
			}
		: {};
