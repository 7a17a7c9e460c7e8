/** A tool that says no, in the server's own words. It travels as a success of HTTP and of JSON-RPC. */
export class ToolFault extends Error {
  override readonly name: string = 'ToolFault';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
