/** An object of a shape has no room for what has to stand in it. */
export class TooSmallError extends Error {
  override name = 'TooSmallError';
  readonly neededBytes: number;

  constructor(message: string, neededBytes: number) {
    super(message);
    this.neededBytes = neededBytes;
  }
}
