import { EXIT, ExitError } from './exit-status.ts';

export { UsageError } from './exit-status.ts';

/** This machine lacks something; the message names the remedy. */
export class MachineError extends ExitError {
  override name = 'MachineError';
  readonly exitStatus = EXIT.machine;
}

/** A server did not start, or ended before it was told to. */
export class ServerError extends ExitError {
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
export class NetworkError extends ExitError {
  override name = 'NetworkError';
  readonly exitStatus = EXIT.network;
}

/** The name server that was to answer a browser is gone, or does not answer. */
export class NameServerError extends NetworkError {
  override name = 'NamesUnanswered';
}

/** The user stopped the run. */
export class InterruptedError extends ExitError {
  override name = 'InterruptedError';
  readonly exitStatus = EXIT.interrupted;
}
