# RoundSkip: prevotes of c come late, so that all go on to round 2 without a decision.
lie(M, "ToNil") :- message(M, "d", _, Kind, _, _), Kind != "Proposal".
hold(M) :- message(M, "c", _, "Prevote", _, _).
release(M, R) :- hold(M), in("skipped", S), R = fn:plus(S, 1).

goto("start", "skipped") :- step("a", 2, "propose", _), step("b", 2, "propose", _), step("c", 2, "propose", _), step("d", 2, "propose", _).
goto("start", "decided") :- decided(_, _, _, _). # may never
good("skipped").
bad("decided").
