/** The part of the messages that is about setting up an oracle. */

/** The keys of a table `[oracles.NAME]`. */
export type Definition = Readonly<Record<string, unknown>>;

/** A possible criterion for interesting runs; for a preset, with the whole definition of an oracle. */
export interface Criterion {
  readonly title: string;
  readonly detail: string;
  readonly definition: Definition;
  /** For a preset: the failure that the reduction will keep. */
  readonly failure?: string;
}

/** The answers to the questions of a preset, by their names. */
export type Answers = Readonly<Record<string, string>>;

/** What a preset asks the user. */
export interface PresetQuestion {
  readonly name: string;
  readonly prompt: string;
  readonly default: string;
  readonly optional: boolean;
}

/** A kind of failure for which the server knows the right oracle. */
export interface Preset {
  readonly name: string;
  readonly title: string;
  readonly detail: string;
  readonly questions: readonly PresetQuestion[];
}
