/** What the API says of a refused field or act in words of this language; English is what it says itself. */
export const refusal = (_sentence: string): string | undefined => undefined;
