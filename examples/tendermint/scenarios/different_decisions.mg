# DifferentDecisions: c locks a0, others b1 with the help of d, which lies. The votes of c
# for a0 come to b when c has precommitted b1. Nobody decides a0.
hold(M) :- message(M, "c", "b", Kind, Text, _), Kind != "Proposal", :string:starts_with(Text, "round 0:").
release(M, R) :- hold(M), in("new", S), R = fn:plus(S, 1).
drop(M) :- message(M, "c", To, Kind, Text, _), To != "b", Kind != "Proposal", :string:starts_with(Text, "round 0:").
lie(M, "ToNil") :- message(M, "d", _, Kind, Text, _), Kind != "Proposal", :string:starts_with(Text, "round 0:").
lie(M, "ToFresh") :- message(M, "d", _, Kind, Text, _), Kind != "Proposal", :string:starts_with(Text, "round 1:").

goto("start", "old") :- precommitted("c", "a0", 0, _).
goto("old", "new") :- precommitted("c", "b1", 1, _).
goto("new", "different") :- decided(_, "a0", _, _). # may never
goto("new", "same") :- decided("a", "b1", _, _), decided("b", "b1", _, _), decided("c", "b1", _, _).
good("same").
bad("different").
