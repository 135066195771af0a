import * as React from "react";
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from "react";
import classNames from "classnames";
import { Avatar, Button, Dialog, Icon, TextField } from "../ui";
import type { Member, Role, Team } from "../types";

interface Props<T extends Member = Member> {
  team: Team;
  members: ReadonlyArray<T>;
  canEdit?: boolean;
  onInvite(email: string, role: Role): Promise<void>;
  onRemove?: (member: T) => void;
  renderExtra?: (member: T) => React.ReactNode;
}

type State = { selected: Set<string>; filter: string; page: number };
type Action =
  | { type: "toggle"; id: string }
  | { type: "filter"; text: string }
  | { type: "page"; by: 1 | -1 };

const PAGE_SIZE = 20;

function reducer(state: State, action: Action): State {
  switch (action.type) {
    case "toggle": {
      const selected = new Set(state.selected);
      if (!selected.delete(action.id)) {
        selected.add(action.id);
      }
      return { ...state, selected };
    }
    case "filter":
      return { ...state, filter: action.text, page: 0 };
    case "page":
      return { ...state, page: Math.max(0, state.page + action.by) };
  }
}

function usePrevious<T>(value: T): T | undefined {
  const ref = useRef<T>();
  useEffect(() => {
    ref.current = value;
  });
  return ref.current;
}

const Empty: React.FC<{ team: Team }> = ({ team, children }) => (
  <section className="members__empty">
    <Icon name="people" size={48} />
    <h2>Nobody is in {team.name} yet</h2>
    {children}
  </section>
);

class Boundary extends React.Component<{ fallback: JSX.Element }, { failed: boolean }> {
  state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  private handleRetry = (): void => this.setState({ failed: false });

  render(): React.ReactNode {
    if (this.state.failed) {
      return (
        <>
          {this.props.fallback}
          <Button onClick={this.handleRetry}>Try again</Button>
        </>
      );
    }
    return this.props.children;
  }
}

export function Members<T extends Member>({
  team,
  members,
  canEdit = false,
  onInvite: handleInvite,
  onRemove: handleRemove,
  renderExtra,
}: Props<T>): JSX.Element {
  const [state, dispatch] = useReducer(reducer, { selected: new Set<string>(), filter: "", page: 0 });
  const [email, setEmail] = useState<string | null>(null);
  const before = usePrevious(members.length);

  const shown = useMemo(() => {
    const wanted = state.filter.trim().toLowerCase();
    return members
      .filter(({ name, email: address }) => `${name} ${address}`.toLowerCase().includes(wanted))
      .slice(state.page * PAGE_SIZE, (state.page + 1) * PAGE_SIZE);
  }, [members, state.filter, state.page]);

  const handleSubmit = useCallback(
    async (event: React.FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      if (email) {
        await handleInvite(email, "guest" as Role);
        setEmail(null);
      }
    },
    [email, handleInvite],
  );

  if (members.length === 0) {
    return (
      <Empty team={team}>
        {canEdit ? <Button onClick={() => setEmail("")}>Invite somebody</Button> : null}
      </Empty>
    );
  }

  return (
    <Boundary fallback={<p role="alert">The list cannot be shown.</p>}>
      <header className={classNames("members__header", { "members__header--new": before! < members.length })}>
        <h1>
          {team.name} <small>({members.length})</small>
        </h1>
        <TextField
          label="Filter"
          value={state.filter}
          onChange={(event) => dispatch({ type: "filter", text: event.target.value })}
        />
      </header>
      <ul className="members">
        {shown.map((member) => (
          <li key={member.id} aria-selected={state.selected.has(member.id)}>
            <Avatar src={member.picture} alt="" />
            <strong>{member.name}</strong> &lt;{member.email}&gt;
            {renderExtra?.(member)}
            {canEdit && handleRemove && (
              <Button kind="danger" onClick={() => handleRemove(member)}>
                <Icon name="trash" /> Remove
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Dialog open={email !== null} title="Invite" shouldClose={() => email === ""} {...(team.isPublic && { modal: true })}>
        <form onSubmit={handleSubmit}>
          <TextField label="E-mail" value={email ?? ""} onChange={(event) => setEmail(event.target.value)} />
          <Button type="submit" disabled={!email} onFocus={() => email as string}>
            Send
          </Button>
        </form>
      </Dialog>
    </Boundary>
  );
}

export default React.memo(Members) as typeof Members;
