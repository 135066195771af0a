// The store of the reading list: what is kept, how it changes, and who is told of it.

export type Id = string & { readonly brand: unique symbol };

export enum Status {
  Unread = "unread",
  Reading = "reading",
  Done = "done",
}

export interface Book {
  readonly id: Id;
  title: string;
  authors: ReadonlyArray<string>;
  status: Status;
  pages?: number;
  rating?: 1 | 2 | 3 | 4 | 5;
}

export interface Settings {
  sortBy: keyof Book;
  ascending: boolean;
  visible: { [status in Status]: boolean };
}

type Change<S> = Partial<S> | ((before: S) => Partial<S>);
type Listener<S> = (after: S, before: S) => void;
type Unpacked<T> = T extends Promise<infer U> ? U : T extends Array<infer V> ? V : T;

declare const storage: {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
};

function isChange<S>(change: Change<S>): change is Partial<S> {
  return typeof change !== "function";
}

abstract class Observable<S> {
  private listeners: Array<Listener<S>> = [];
  protected constructor(protected state: S) {}

  subscribe(listener: Listener<S>): () => void {
    this.listeners.push(listener);
    return () => {
      this.listeners = this.listeners.filter((other) => other !== listener);
    };
  }

  protected tell(before: S): void {
    for (const listener of this.listeners) {
      listener(this.state, before);
    }
  }

  abstract reset(): void;
}

export class Store<S extends object> extends Observable<S> {
  private readonly defaults: Partial<S> = {};
  private past: S[] = [];

  constructor(initial: S, private readonly key?: string) {
    super(initial);
    const kept = key ? storage.getItem(key) : null;
    if (kept !== null) {
      this.state = JSON.parse(kept) as S;
    }
  }

  get current(): Readonly<S> {
    return this.state;
  }

  change(change: Change<S>): this {
    const before = this.state;
    const parts = isChange(change) ? change : change(before);
    this.past.push(before);
    this.state = this.merged(before, parts);
    this.save();
    this.tell(before);
    return this;
  }

  undo(): boolean {
    const before = this.past.pop();
    if (!before) {
      return false;
    }
    [this.state] = [before];
    this.tell(before);
    return true;
  }

  reset(): void {
    this.past = [];
    this.change(this.defaults);
  }

  private merged(before: S, parts: Partial<S>): S {
    const known = Object.keys(before) as Array<keyof S>;
    if (known.length === 0) {
      const all = { ...this.defaults, ...before } = {};
      return all as S;
    }
    return Object.assign({}, before, parts);
  }

  private save(): void {
    if (this.key) {
      storage.setItem(this.key, JSON.stringify(this.state));
    }
  }
}

export namespace Books {
  export const byStatus = (books: Book[]) =>
    books.reduce((groups, book) => {
      const group = groups[book.status] || (groups[book.status] = []);
      group.push(book);
      return groups;
    }, {} as { [status: string]: Book[] });

  export function compare<K extends keyof Book>(key: K, ascending = true) {
    return (a: Book, b: Book): number => {
      const [first, second] = ascending ? [a, b] : [b, a];
      const left = first[key]!, right = second[key]!;
      return left < right ? -1 : left > right ? 1 : 0;
    };
  }

  export function describe({ title, authors, pages = 0, rating }: Book): string {
    const stars = rating ? "*".repeat(rating) : "not rated";
    return `${title} by ${authors.join(", ")} (${pages} pages, ${stars})`;
  }
}

export const settings = new Store<Settings>(
  { sortBy: "title", ascending: true, visible: { unread: true, reading: true, done: false } },
  "settings",
);

export async function load(fetchBooks: () => Promise<Book[]>): Promise<Store<{ books: Book[] }>> {
  try {
    const books: Unpacked<ReturnType<typeof fetchBooks>> = await fetchBooks();
    const { sortBy, ascending } = settings.current;
    return new Store({ books: books.sort(Books.compare(sortBy, ascending)) });
  } catch (error) {
    console.error("cannot load the books", error);
    return new Store<{ books: Book[] }>({ books: [] });
  } finally {
    settings.change((before) => ({ ascending: !!before.ascending }));
  }
}
