# BlockVotes: with prevotes of a alone nobody has a quorum, and all stay in round 0.
deliver(M) :- message(M, "a", _, "Prevote", _, _).
drop(M) :- message(M, From, _, "Prevote", _, _), From != "a".

goto("start", "decided") :- decided(_, _, _, _). # may never
goto("start", "skipped") :- step(_, 1, _, _). # may never
goto("start", "blocked") :- at("a", 0, 30), at("b", 0, 30), at("c", 0, 30), at("d", 0, 30).
good("blocked").
bad("decided").
bad("skipped").
