# PrecommitInvariant: without a quorum of prevotes for it, nobody precommits a value.
drop(M) :- message(M, _, _, "Proposal", Text, _), :string:starts_with(Text, "round 0:").

goto("start", "precommitted") :- precommitted(_, "a0", 0, _). # may never
goto("start", "nothing") :- precommitted("a", "nil", 0, _), precommitted("b", "nil", 0, _), precommitted("c", "nil", 0, _), precommitted("d", "nil", 0, _).
good("nothing").
bad("precommitted").
