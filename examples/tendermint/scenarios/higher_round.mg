# HigherRound: votes of d are of a later round. The others stay in theirs, and decide.
lie(M, "ToLater") :- message(M, "d", _, Kind, _, _), Kind != "Proposal".

goto("start", "skipped") :- step(_, 2, _, _). # may never
goto("start", "decided") :- decided("a", "a0", _, _), decided("b", "a0", _, _), decided("c", "a0", _, _).
good("decided").
bad("skipped").
