/** Return what an error says, or whatever was thrown as a text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
