import { EXIT, ExitError } from './exit-status.ts';

export { UsageError } from './exit-status.ts';

/** The machine lacks a requirement; the message names the remedy. */
export class MachineError extends ExitError {
  override name = 'MachineError';
  readonly exitStatus = EXIT.machine;
}

/** The machine cannot run the programs of some stacks. */
export class UnusableStacksError extends MachineError {
  override name = 'UnusableStacksError';
  readonly stacks: readonly string[];
  readonly reason: string;

  /** @param reason with a remedy */
  constructor(stacks: readonly string[], reason: string) {
    super(`${stacks.join(', ')}: ${reason}`);
    this.stacks = stacks;
    this.reason = reason;
  }
}

/** A server did not start, or ended unexpectedly. */
export class ServerError extends ExitError {
  override name = 'ServerError';
  readonly exitStatus = EXIT.server;
  /** Name of its stack. */
  readonly server: string;

  constructor(message: string, server: string) {
    super(message);
    this.server = server;
  }
}

/** The path between browser and servers could not be created, or differs from the requested condition. */
export class NetworkError extends ExitError {
  override name = 'NetworkError';
  readonly exitStatus = EXIT.network;
}

/** The browser's name server ended or does not respond. */
export class NameServerError extends NetworkError {
  override name = 'NamesUnanswered';
}

/** The user stopped the run. */
export class InterruptedError extends ExitError {
  override name = 'InterruptedError';
  readonly exitStatus = EXIT.interrupted;
}
