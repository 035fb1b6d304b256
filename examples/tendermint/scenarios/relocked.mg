# Relocked: c is locked on a0, and b proposes b1 in round 1. With a vote of d that lies, b1
# gets a quorum. c does not vote for its lock, and locks b1 for the quorum.
drop(M) :- message(M, "c", _, Kind, _, _), Kind != "Proposal".
lie(M, "ToNil") :- message(M, "d", _, Kind, Text, _), Kind != "Proposal", :string:starts_with(Text, "round 0:").
lie(M, "ToFresh") :- message(M, "d", _, Kind, Text, _), Kind != "Proposal", :string:starts_with(Text, "round 1:").

goto("start", "locked") :- locked("c", "a0", 0, _).
goto("locked", "stubborn") :- prevoted("c", "a0", 1, _). # may never
goto("locked", "relocked") :- locked("c", "b1", 1, _).
good("relocked").
bad("stubborn").
