# ExpectUnlock: c locks a0 in round 0. In round 2 a quorum prevotes nil, and in round 4
# another value is proposed. The lock is kept.
drop(M) :- message(M, "c", _, Kind, _, _), Kind != "Proposal".
lie(M, "ToNil") :- message(M, "d", _, Kind, _, _), Kind != "Proposal".
drop(M) :- message(M, _, _, "Proposal", Text, _), :string:contains(Text, "a0, valid").

goto("start", "locked") :- locked("c", "a0", 0, _).
goto("locked", "unlocked") :- unlocked("c", _, _). # may never
goto("locked", "kept") :- prevoted("c", "nil", 4, _).
good("kept").
bad("unlocked").
