# NotNilDecide: with a liar that votes nil and without the votes of c nothing is decided, not
# even nil.
drop(M) :- message(M, "c", _, Kind, _, _), Kind != "Proposal".
lie(M, "ToNil") :- message(M, "d", _, Kind, _, _), Kind != "Proposal".

goto("start", "decided") :- decided(_, "nil", _, _). # may never
goto("start", "undecided") :- step("a", 2, "propose", _), step("b", 2, "propose", _), step("c", 2, "propose", _).
good("undecided").
bad("decided").
