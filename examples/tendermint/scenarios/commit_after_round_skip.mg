# CommitAfterRoundSkip: votes of c in round 0 come when all are in round 1. The value of
# round 0 is decided after all.
lie(M, "ToNil") :- message(M, "d", _, Kind, _, _), Kind != "Proposal".
hold(M) :- message(M, "c", _, Kind, Text, _), Kind != "Proposal", :string:starts_with(Text, "round 0:").
release(M, R) :- hold(M), in("skipped", S), R = fn:plus(S, 1).

goto("start", "skipped") :- step("a", 1, "propose", _), step("b", 1, "propose", _), step("c", 1, "propose", _), step("d", 1, "propose", _).
goto("skipped", "decided") :- decided("a", "a0", _, _), decided("b", "a0", _, _), decided("c", "a0", _, _).
good("decided").
