/** har-validator ships no types; this is the part used here. */
declare module 'har-validator' {
  const validator: {
    /** Rejects with the schema's errors. */
    har(har: unknown): Promise<unknown>;
  };
  export default validator;
}
