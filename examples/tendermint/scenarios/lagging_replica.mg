# LaggingReplica: c gets no votes until the others are in round 3. Then it goes there at once.
drop(M) :- message(M, _, "c", Kind, _, _), Kind != "Proposal", !in("apart", _). # first
drop(M) :- message(M, "c", _, Kind, Text, _), Kind != "Proposal", :string:starts_with(Text, "round 0:").
lie(M, "ToNil") :- message(M, "d", _, Kind, _, _), Kind != "Proposal".

goto("start", "apart") :- step("a", 3, "propose", _), step("b", 3, "propose", _), step("d", 3, "propose", _).
goto("apart", "lagging") :- behind("c", _, _, _). # may never
goto("apart", "together") :- step("c", N, _, _), N >= 3.
good("together").
bad("lagging").
