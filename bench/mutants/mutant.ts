/** One seeded fault: a guard rail that is switched off in a copy of the repository, and the test that has to notice. */
export interface Mutant {
  readonly guard: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  readonly test: string;
  /** Part of the name of a test that must be among those that fail. */
  readonly named: string;
  /** Run by `npm run mutants` without `--all`. */
  readonly inCi?: true;
  /** Not caught, and why nothing is lost: another barrier holds the same. It is listed and not run. */
  readonly survives?: string;
}
