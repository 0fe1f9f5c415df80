/** node-postgres exports this file without types: how a JavaScript value is written as parameter text. */
declare module "pg/lib/utils.js" {
  export function prepareValue(value: unknown): string | Buffer | null;
}
