# ProposalNilPrevote: who gets no proposal prevotes nil.
drop(M) :- message(M, _, "c", "Proposal", Text, _), :string:starts_with(Text, "round 0:").

goto("start", "prevoted") :- prevoted("c", "a0", 0, _). # may never
goto("start", "nothing") :- prevoted("c", "nil", 0, _).
good("nothing").
bad("prevoted").
