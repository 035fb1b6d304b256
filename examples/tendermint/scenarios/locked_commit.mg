# LockedCommit: all lock a0 in round 0, and hear that nobody precommits it. In round 1
# nothing valid is proposed. So nothing is decided there; a0 is in round 2.
lie(M, "ToNil") :- message(M, "d", _, Kind, _, _), Kind != "Proposal".
lie(M, "ToNil") :- message(M, _, _, "Precommit", Text, _), :string:starts_with(Text, "round 0:").
lie(M, "ToNil") :- message(M, _, _, "Proposal", Text, _), :string:starts_with(Text, "round 1:").

goto("start", "locked") :- step("a", 1, "propose", _), locked("a", "a0", 0, _), locked("b", "a0", 0, _), locked("c", "a0", 0, _).
goto("locked", "decided") :- decided(_, _, 1, _). # may never
goto("locked", "waited") :- decided("a", "a0", 2, _).
good("waited").
bad("decided").
