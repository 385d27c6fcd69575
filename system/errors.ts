import { EXIT } from './exit-status.ts';

/** An error that is told to the user as it is, without a stack trace. */
export abstract class BenchmarkError extends Error {
  abstract readonly exitStatus: number;
}

/** The command line or the data it names is wrong; nothing was started. */
export class UsageError extends BenchmarkError {
  override name = 'UsageError';
  readonly exitStatus = EXIT.usage;
}

/** This machine lacks something; the message names the remedy. */
export class MachineError extends BenchmarkError {
  override name = 'MachineError';
  readonly exitStatus = EXIT.machine;
}

/** A server did not start, or ended before it was told to. */
export class ServerError extends BenchmarkError {
  override name = 'ServerError';
  readonly exitStatus = EXIT.server;
  /** The stack whose server it is. */
  readonly server: string;

  constructor(message: string, server: string) {
    super(message);
    this.server = server;
  }
}

/** The path between browser and servers could not be made, or is not what was asked for. */
export class NetworkError extends BenchmarkError {
  override name = 'NetworkError';
  readonly exitStatus = EXIT.network;
}

/** The user stopped the run. */
export class InterruptedError extends BenchmarkError {
  override name = 'InterruptedError';
  readonly exitStatus = EXIT.interrupted;
}
