"""In a workspace that is not trusted nothing runs, whatever the user agreed to before."""

from __future__ import annotations

import pytest

from pollard.oracle import CommandOracle
from pollard_server.trust import ALWAYS, UNTRUSTED, Consent, NotAllowed, Trust
from tests.server.trust.asking import (
    NEVER,
    Asking,
    EditorTools,
    FakeClient,
    answered,
    consents,
    request,
)


@pytest.mark.parametrize("said", [False, None, 0, 1, "true", "false", {"trusted": True}])
def test_only_true_counts_as_trusted(oracle, said):
    client = FakeClient([ALWAYS])
    trust = Trust(client, trusted=said)
    assert trust.trusted is False
    assert trust.state(oracle) is Consent.UNTRUSTED
    with pytest.raises(NotAllowed, match=r"is not trusted, .* trust it in your editor"):
        request(trust, oracle)
    trust.trusted = True
    trust.trusted = said
    assert trust.state(oracle) is Consent.UNTRUSTED
    assert client.questions == []


def test_an_untrusted_workspace_runs_no_oracle_despite_earlier_consent(oracle):
    _, trust = answered(ALWAYS)
    request(trust, oracle)
    trust.trusted = False
    with pytest.raises(NotAllowed) as caught:
        request(trust, oracle)
    assert str(caught.value) == UNTRUSTED
    trust.trusted = True
    assert request(trust, oracle).oracle is oracle


def test_trust_lost_while_asked_ends_the_request_before_any_answer(oracle):
    client, trust = answered()
    asking = Asking(trust, oracle)
    client.next_question()
    trust.trusted = False
    assert str(asking.error()) == UNTRUSTED


def test_an_answer_does_not_count_if_trust_was_withdrawn_during_the_question(oracle):
    client, trust = answered()

    def waver():
        trust.trusted = False
        trust.trusted = True

    client.answers, client.before_answer = [ALWAYS], waver
    with pytest.raises(NotAllowed):
        request(trust, oracle)
    assert consents() == []


def test_without_trust_not_even_the_editor_is_asked():
    _, trust = answered()
    trust.trusted = False
    with pytest.raises(NotAllowed, match="not trusted"):
        trust.permit_without_command(CommandOracle((), diagnoser=EditorTools()), NEVER)
