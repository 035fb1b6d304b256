# NotNilDecide: with a liar that votes nil and without the votes of c nothing is decided, not
# even nil.
drop(M) :- message(M, "c", _, Kind, _, _), Kind != "Proposal".
lie(M, "ToNil") :- message(M, "d", _, Kind, _, _), Kind != "Proposal".

goto("start", "decided") :- decided(_, "nil", _, _). # may never
goto("start", "undecided") :- at("a", 2, _), at("b", 2, _), at("c", 2, _).
good("undecided").
bad("decided").
