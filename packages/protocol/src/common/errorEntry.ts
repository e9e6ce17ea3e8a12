/** A row of the tables of errors; `errors.ts` puts them together. */

export interface ErrorEntry {
  readonly code: number;
  readonly meaning: string;
  readonly remedy: string;
}
