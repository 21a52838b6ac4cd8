/** Why the server cannot be reached, if so: told once for the whole page, and not by each part that asked for something. */
export const reach = $state({ lost: "" });

/** The server does not answer, or does not know this tab any more. */
export class Lost extends Error {
  constructor(message: string) {
    super(message);
    reach.lost = message;
  }
}

/** What a part says of an error; of a server that cannot be reached it says nothing itself. */
export function said(error: unknown): string {
  return error instanceof Lost ? "" : (error as Error).message;
}
