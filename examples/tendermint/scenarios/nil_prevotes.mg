# NilPrevotes: without proposals c gets two prevotes for nil, which with its own are a
# quorum, and precommits nil.
drop(M) :- message(M, _, _, "Proposal", _, _).

goto("start", "quorum") :- delivered("b", "c", "Prevote", "round 0: nil", _), delivered("d", "c", "Prevote", "round 0: nil", _).
goto("quorum", "precommitted") :- precommitted("c", "nil", 0, _).
good("precommitted").
